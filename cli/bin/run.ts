import { runLine } from './run-line.ts';
import { catalog } from '../command-specs/index.ts';

/** Runs one command line of the client and gives the exit code. `version` is that of this client. */
export const run = (argv: readonly string[], version: string): Promise<number> => runLine(catalog, argv, version);
