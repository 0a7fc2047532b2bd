import { match } from '../command-line/dispatch.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { commandHelp, groupHelp, rootHelp } from '../output/help.ts';
import type { Invocation } from '../command-line/command-spec.ts';

export async function help({ args, catalog, io, version }: Invocation): Promise<number> {
  const found = match(catalog, args);
  if (found.kind === 'command') io.out.write(commandHelp(io.out, found.command));
  else
    io.out.write(
      found.words.length === 0 ? rootHelp(io.out, catalog, version) : groupHelp(io.out, catalog, found.words),
    );
  return exitCode.ok;
}

export async function version({ io, version: text }: Invocation): Promise<void> {
  io.out.write(`${text}\n`);
}
