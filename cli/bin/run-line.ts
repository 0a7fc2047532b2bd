import type { Catalog } from '../command-line/command-spec.ts';
import { readEnvironment } from '../command-line/config.ts';
import { match } from '../command-line/dispatch.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { endOnInterrupt } from '../command-line/interrupt.ts';
import { processIo, type Io } from '../command-line/io.ts';

/** Runs one command line of the catalog and gives the exit code. `version` is that of this program. */
export async function runLine(catalog: Catalog, argv: readonly string[], version: string): Promise<number> {
  const flags = beforeDashes(argv);
  const environment = readEnvironment();
  const io = processIo(flags.includes('--no-color') ? false : environment.colour);
  process.once('SIGINT', endOnInterrupt);
  try {
    const found = match(catalog, argv);
    if (found.kind === 'group') return await showGroup(io, catalog, found.words, found.help, version);
    const { command, rest } = found;
    if (beforeDashes(rest).some((token) => token === '--help' || token === '-h')) {
      const { commandHelp } = await import('../command-line/help.ts');
      io.out.write(commandHelp(io.out, command));
      return exitCode.ok;
    }
    const { parse } = await import('../command-line/parse.ts');
    const call = { command, ...(await parse(command, rest)), catalog, environment, io, version };
    const start = await command.load();
    return (await start(call)) ?? exitCode.ok;
  } catch (error) {
    const { report } = await import('../output/report.ts');
    return report(error, io, { json: flags.includes('--json'), debug: flags.includes('--debug') });
  }
}

/** `cli` alone is a question; `cli robots` alone is an unfinished command. */
async function showGroup(
  io: Io,
  catalog: Catalog,
  words: readonly string[],
  asked: boolean,
  version: string,
): Promise<number> {
  const { groupHelp, rootHelp } = await import('../command-line/help.ts');
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
