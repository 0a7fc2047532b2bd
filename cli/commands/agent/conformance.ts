import { access, constants, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { childEnvironment } from '../../command-line/config.ts';
import { CliError, usage } from '../../command-line/errors.ts';
import { exitCode } from '../../command-line/exit-codes.ts';
import type { Flags } from '../../command-line/flag-spec.ts';
import type { Outcome } from '../../conformance/outcome.ts';
import { safeCell, safeJson } from '../../output/safe.ts';
import type { Invocation } from '../../command-line/command-spec.ts';

const usualTimeoutSeconds = 15;
const usualJobs = 4;
const tones = { ok: 'good', failed: 'bad', skipped: 'quiet' } as const;
const words = { ok: 'ok', failed: 'FAILED', skipped: 'skipped' } as const;

/** Tests an agent against the protocol and reports each rule; returns 1 if one is broken. */
export async function conformance({ flags, io }: Invocation): Promise<number> {
  // A bundle of its own (.ci/client-build.mjs).
  const { checkList, junit, runConformance } = await import('../../conformance/conformance-run.ts');
  if (flags.on('list')) {
    for (const { name, rule } of checkList) io.out.write(`${name.padEnd(16)} ${rule}\n`);
    return exitCode.ok;
  }
  const command = flags.text('command');
  if (command === undefined)
    throw usage('missing flag --command <line>', "Example: cli agent conformance --command 'python3 agent.py {url}'");
  const names = chosen(
    flags,
    checkList.map(({ name }) => name),
  );
  const report = flags.text('junit');
  if (report !== undefined) await access(dirname(report), constants.W_OK).catch(cannotWrite(report));
  // As with Ctrl-C, no agent process and no folder remains.
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
  const isJson = flags.on('json');
  const paint: Paint = (text, tone) => io.out.paint(text, tone);
  const untried: Outcome[] = [];
  const startedAt = performance.now();
  const outcomes = await runConformance({
    command,
    names,
    jobs: flags.integer('jobs') ?? usualJobs,
    timeoutMs: (flags.integer('timeout') ?? usualTimeoutSeconds) * 1000,
    environment: childEnvironment(),
    done: (outcome) => {
      if (outcome.isUntried) untried.push(outcome);
      else if (!isJson) io.out.write(lineOf(outcome, paint));
    },
  });
  const [example] = untried;
  if (example && !isJson)
    io.out.write(lineOf({ ...example, check: 'others', rule: `${untried.length} checks` }, paint));
  const count = (result: Outcome['result']) => outcomes.filter((each) => each.result === result).length;
  const totals = { ok: count('ok'), failed: count('failed'), skipped: count('skipped') };
  if (isJson) io.out.write(`${safeJson(JSON.stringify({ data: { ...totals, checks: outcomes } }))}\n`);
  else io.note(`${totals.ok} ok, ${totals.failed} failed, ${totals.skipped} skipped`);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  if (report !== undefined) await writeFile(report, junit(outcomes, seconds)).catch(cannotWrite(report));
  return totals.failed > 0 ? exitCode.error : exitCode.ok;
}

/** The checks of `--only`, or all, without those of `--skip`. */
function chosen(flags: Flags, all: readonly string[]): string[] {
  const [only, skip] = [flags.texts('only'), flags.texts('skip')];
  for (const [flag, names] of Object.entries({ '--only': only, '--skip': skip })) {
    const unknown = names.find((name) => !all.includes(name));
    if (unknown !== undefined)
      throw usage(`${flag}: unknown check "${unknown}"`, 'List checks with: cli agent conformance --list');
  }
  const names = all.filter((name) => (only.length === 0 || only.includes(name)) && !skip.includes(name));
  if (names.length === 0) throw usage('--skip: no checks remain', 'List checks with: cli agent conformance --list');
  return names;
}

const cannotWrite = (path: string) => (error: unknown) => {
  throw new CliError(`--junit: cannot write ${path}: ${error instanceof Error ? error.message : ''}`, { cause: error });
};

type Paint = (text: string, tone: (typeof tones)[Outcome['result']]) => string;

/** The rule and its result; the reason on the next line. */
function lineOf({ check, rule, result, why }: Outcome, paint: Paint): string {
  const head = `${paint(words[result].padEnd(8), tones[result])} ${check.padEnd(16)} ${rule}\n`;
  return why === undefined ? head : `${head}${' '.repeat(9)}${safeCell(why)}\n`;
}
