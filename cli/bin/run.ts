import { catalog } from '../command-specs/index.ts';
import { runProcess } from './run-line.ts';

/** Runs one command line of the client; returns the exit code. `version` is that of this client. */
export const run = (argv: readonly string[], version: string): Promise<number> =>
  argv[0] === '__complete'
    ? import('../commands/completion/complete.ts').then(({ complete }) => complete(catalog, argv.slice(1), version))
    : runProcess(catalog, argv, version);
