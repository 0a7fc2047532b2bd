import { ConfigError } from './config.ts';
import { EmbeddedPostgresError, type EmbeddedLog } from './platform/db/embedded/index.ts';
import { DatabaseError } from './platform/db/index.ts';
import { CopyError } from './platform/db/copy/manifest.ts';

export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** For a person at a terminal: only what went wrong. */
export const commandLog: EmbeddedLog = {
  info: () => undefined,
  warn: (_fields, message) => tell(message),
  error: (_fields, message) => tell(message),
};

/** Runs a command to its end: what the operator can act on is one sentence and exit code 1, all else is a bug and keeps its stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const known = [CopyError, EmbeddedPostgresError, DatabaseError, ConfigError].some((kind) => error instanceof kind);
    if (!known || !(error instanceof Error)) throw error;
    tell(error.message);
    process.exitCode = 1;
  }
}
