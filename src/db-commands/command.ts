import { ConfigError } from '../config.ts';
import { EmbeddedPostgresError, type EmbeddedLog } from '../platform/db/embedded/index.ts';
import { DatabaseError } from '../platform/db/index.ts';
import { CopyError } from '../platform/db/copy/manifest.ts';

export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** For a person at a terminal: only what went wrong. */
export const commandLog: EmbeddedLog = {
  info: () => undefined,
  warn: (_fields, message) => tell(message),
  error: (_fields, message) => tell(message),
};

/**
 * Runs a command, whose line names a folder or nothing, to its end: what the operator can act on is one sentence and exit code 1, all else is a
 * bug and keeps its stack. A line that asks for help gets `usage`, one that is no such line gets it as its refusal.
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
