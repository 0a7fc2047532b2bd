import { CliError, usage } from '../command-line/errors.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import type { FilteredCall, Invocation } from '../command-line/command-spec.ts';
import { paintJson } from './json.ts';
import { safeJson, safeText } from './safe.ts';

/** jq's exit code for an expression that does not compile. */
const notCompiled = 3;

type Jq = Awaited<ReturnType<typeof loadJq>>;

/**
 * The call as with `--json`, whose stdout goes through the expression of `--jq`. What a command writes up to the end of
 * a line is one or more documents: the body of a page, or a line of a stream. Throws a usage error for an expression
 * that does not compile, before anything is sent.
 */
export async function filtered(call: Invocation, expression: string): Promise<FilteredCall> {
  for (const other of ['output', 'fields'])
    if (call.flags.has(other) && call.flags.isGiven(other))
      throw usage(
        `--jq and --${other} exclude each other`,
        '--jq gets the body that --json prints. Use one of the two',
      );
  const jq = await loadJq();
  const { exitCode: code, stderr } = jq.raw('', expression, ['-c']);
  if (code === notCompiled) throw usage(`--jq: ${reasonOf(stderr)}`, 'The language: https://jqlang.org/manual');
  let documents: Buffer[] = [];
  let failed = false;
  const { io } = call;

  function write(chunk: string | Buffer): void {
    documents.push(Buffer.from(chunk as string));
    if (documents.at(-1)?.at(-1) !== lineFeed) return;
    const input = Buffer.concat(documents).toString();
    documents = [];
    const result = run(jq, input, expression);
    io.out.write(outputsOf(result.stdout, io.out));
    const said = safeText(reasonOf(result.stderr));
    // As jq does, the next document is still filtered.
    if (result.exitCode !== 0) failed = true;
    if (said !== '') io.note(result.exitCode === 0 ? said : `${io.err.paint('Error:', 'bad')} --jq: ${said}`);
  }

  return {
    call: { ...call, flags: call.flags.with('json', true), io: { ...io, out: { ...io.out, write } } },
    ended(ofCommand: number) {
      if (documents.length > 0) write('\n');
      return failed && ofCommand === exitCode.ok ? exitCode.error : ofCommand;
    },
  };
}

const lineFeed = 0x0a;

async function loadJq() {
  try {
    return await (await import('jq-wasm')).loadJq();
  } catch (error) {
    throw new CliError(`--jq cannot load jq: ${(error as Error).message.split('\n', 1).join('')}`, {
      hint: 'Install the packages of the client again: npm ci --omit=dev. Or filter with: --json | jq',
      cause: error,
    });
  }
}

/** Meanwhile nothing else runs in this process, so Ctrl-C has to end it as the system does. */
function run(jq: Jq, input: string, expression: string) {
  const listeners = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
  process.removeAllListeners('SIGINT');
  try {
    return jq.raw(input, expression, ['-c']);
  } catch (error) {
    // The memory of the WebAssembly build ends at 256 MiB, which documents of about 20 MiB fill.
    throw new CliError(`--jq cannot filter a response of ${Math.ceil(input.length / 2 ** 20)} MiB: out of memory`, {
      hint: 'Read a list in pages, each of which is filtered alone: --page-size 1000. Or filter with: --json | jq',
      cause: error,
    });
  } finally {
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}

/** Outputs, one per line: texts as they are, as `jq -r` prints them; on a terminal other values are indented. */
function outputsOf(lines: string, { tty, paint }: Invocation['io']['out']): string {
  if (lines === '') return '';
  const outputs = lines.split('\n').map((line) => {
    if (line.startsWith('"')) {
      const text = JSON.parse(line) as string;
      return tty ? safeText(text) : text;
    }
    return tty ? paintJson(safeJson(JSON.stringify(JSON.parse(line), undefined, 2)), paint) : line;
  });
  return `${outputs.join('\n')}\n`;
}

/** Without jq's own prefix and count of errors. The lines with the place of a syntax error stay. */
const reasonOf = (stderr: string) =>
  stderr
    .replace(/^jq: error (?:\(at [^)]*\) ?)?(?:: ?)?/, '')
    .replace(/^jq: error: /, '')
    .replace(/\njq: \d+ compile errors?$/, '')
    .replaceAll(' at <top-level>,', ' at')
    .trimEnd();
