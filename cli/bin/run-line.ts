import type { Catalog, Invocation } from '../command-line/command-spec.ts';
import { readEnvironment } from '../command-line/config.ts';
import { match } from '../command-line/dispatch.ts';
import { NotSent } from '../command-line/dry-run.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { endOnInterrupt } from '../command-line/interrupt.ts';
import { ioOf, processStreams, type Io, type Streams } from '../command-line/io.ts';

/** Environment and streams of a command line. Default: those of this process. */
interface Surroundings {
  env?: NodeJS.ProcessEnv;
  streams?: Streams;
}

/** Runs one command line of the catalog; returns the exit code. `version` is that of this program. */
export async function runLine(
  catalog: Catalog,
  argv: readonly string[],
  version: string,
  { env, streams = processStreams }: Surroundings = {},
): Promise<number> {
  const flags = beforeDashes(argv);
  const environment = readEnvironment(env);
  const io = ioOf(streams, flags.includes('--no-color') ? false : environment.colour);
  let words: readonly string[] = [];
  try {
    const found = match(catalog, argv);
    if (found.kind === 'group') return await showGroup(io, catalog, found.words, found.help, version);
    const { command, rest } = found;
    words = command.path.split(' ');
    if (beforeDashes(rest).some((token) => token === '--help' || token === '-h')) {
      const { commandHelp } = await import('../output/help.ts');
      io.out.write(commandHelp(io.out, command));
      return exitCode.ok;
    }
    const { parse } = await import('../command-line/parse.ts');
    const call = { command, ...(await parse(command, rest)), catalog, environment, io, version };
    const expression = call.flags.has('jq') ? call.flags.text('jq') : undefined;
    const { filter } = catalog.program;
    if (expression === undefined || !filter) return await started(call);
    const filtered = await filter(call, expression);
    return filtered.ended(await started(filtered.call));
  } catch (error) {
    const [{ report }, { defaultHint }] = await Promise.all([
      import('../output/report.ts'),
      import('../output/default-hint.ts'),
    ]);
    return report(error, io, {
      // What reads the results of --jq expects no envelope.
      json: flags.includes('--json') && !flags.some((flag) => flag === '--jq' || flag.startsWith('--jq=')),
      debug: flags.includes('--debug'),
      hintFor: (known) => defaultHint(known, catalog, words),
    });
  }
}

async function started(call: Invocation): Promise<number> {
  try {
    return (await (await call.command.load())(call)) ?? exitCode.ok;
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    const { printNotSent } = await import('../output/not-sent.ts');
    printNotSent(error, call);
    return exitCode.ok;
  }
}

/** The same, as the only task of this process: Ctrl-C ends it. */
export function runProcess(catalog: Catalog, argv: readonly string[], version: string): Promise<number> {
  process.once('SIGINT', endOnInterrupt);
  return runLine(catalog, argv, version);
}

/** `cli` alone asks for help; `cli robots` alone is an incomplete command. */
async function showGroup(
  io: Io,
  catalog: Catalog,
  words: readonly string[],
  asked: boolean,
  version: string,
): Promise<number> {
  const { groupHelp, rootHelp } = await import('../output/help.ts');
  if (words.length === 0) {
    io.out.write(rootHelp(io.out, catalog, version));
    return exitCode.ok;
  }
  const sink = asked ? io.out : io.err;
  sink.write(groupHelp(sink, catalog, words));
  return asked ? exitCode.ok : exitCode.usage;
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}
