import { childEnvironment } from '../config.ts';
import { usage } from '../errors.ts';
import { exitCode } from '../exit-codes.ts';
import type { Outcome } from '../conformance/conformance-run.ts';
import { safeText } from '../output/safe.ts';
import type { Invocation } from '../spec.ts';

const usualTimeoutSeconds = 15;
const usualJobs = 4;
const tones = { ok: 'good', failed: 'bad', skipped: 'quiet' } as const;
const words = { ok: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Takes an agent through the promises of the protocol and tells which it keeps; gives 1 where one is broken. */
export async function conformance({ flags, io }: Invocation): Promise<number> {
  // A file of its own (.ci/client-build.mjs).
  const { checkList, runConformance } = await import('../conformance/conformance-run.ts');
  if (flags.on('list')) {
    for (const { name, rule } of checkList) io.out.write(`${name.padEnd(16)} ${rule}\n`);
    return exitCode.ok;
  }
  const command = flags.text('command');
  if (command === undefined)
    throw usage('--command is missing', "As in: cli agent conformance --command 'python3 agent.py {url}'");
  const only = flags.texts('only');
  const unknown = only.find((name) => !checkList.some((check) => check.name === name));
  if (unknown !== undefined)
    throw usage(`--only: there is no check "${unknown}"`, 'To see them: cli agent conformance --list');
  const isJson = flags.on('json');
  const outcomes = await runConformance({
    command,
    only,
    jobs: flags.integer('jobs') ?? usualJobs,
    patienceMs: (flags.integer('timeout') ?? usualTimeoutSeconds) * 1000,
    environment: childEnvironment(),
    done: (outcome) => {
      if (!isJson) io.out.write(lineOf(outcome, (text, tone) => io.out.paint(text, tone)));
    },
  });
  const count = (result: Outcome['result']) => outcomes.filter((each) => each.result === result).length;
  const totals = { ok: count('ok'), failed: count('failed'), skipped: count('skipped') };
  if (isJson) io.out.write(`${JSON.stringify({ data: { ...totals, checks: outcomes } })}\n`);
  else io.note(`${totals.ok} ok, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals.failed > 0 ? exitCode.error : exitCode.ok;
}

type Paint = (text: string, tone: (typeof tones)[Outcome['result']]) => string;

/** The rule with its result, and below it why. */
function lineOf({ check, rule, result, why }: Outcome, paint: Paint): string {
  const head = `${paint(words[result].padEnd(8), tones[result])} ${check.padEnd(16)} ${rule}\n`;
  return why === undefined ? head : `${head}${' '.repeat(9)}${safeText(why)}\n`;
}
