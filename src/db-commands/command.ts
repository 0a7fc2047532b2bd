import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError, type EmbeddedLog } from '../platform/db/embedded/index.ts';
import { DatabaseError } from '../platform/db/index.ts';
import { CopyError } from '../platform/db/copy/manifest.ts';

export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** For a terminal: only warnings and errors. */
export const commandLog: EmbeddedLog = {
  info: () => undefined,
  warn: (_fields, message) => tell(message),
  error: (_fields, message) => tell(message),
};

/**
 * Runs a command that takes a folder or no argument. Errors that the operator can fix print one sentence and set exit
 * code 1. All others are bugs and keep their stack. A request for help prints `usage`; an invalid command line fails
 * with it.
 */
export async function runCommand(usage: string, command: (folder: string | undefined) => Promise<void>): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    if (words.length > 1 || words[0]?.startsWith('-')) throw new CopyError(usage);
    await command(words[0]);
  } catch (error) {
    const known = [CopyError, EmbeddedPostgresError, DatabaseError, ConfigError].some((kind) => error instanceof kind);
    if (!known || !(error instanceof Error)) throw error;
    tell(error.message);
    process.exitCode = 1;
  }
}
