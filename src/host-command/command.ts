import { hostname, userInfo } from 'node:os';
import { ArtifactStoreError } from '../artifacts/service.ts';
import { ConfigError } from '../config.ts';
import { DomainError, Unavailable } from '../kernel/errors.ts';
import { BackupError } from '../platform/db/copy/manifest.ts';
import { reasonOf } from '../platform/db/faults.ts';
import { EmbeddedPostgresError, type EmbeddedLog } from '../platform/db/embedded/index.ts';
import { DatabaseError } from '../platform/db/index.ts';

export const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** For a terminal: only warnings and errors. */
export const commandLog: EmbeddedLog = {
  info: () => undefined,
  warn: (_fields, message) => tell(message),
  error: (_fields, message) => tell(message),
};

/**
 * Errors that the operator can fix print one sentence and set exit code 1. All others are bugs and keep their stack.
 */
export async function withSentences(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const known = [
      BackupError,
      EmbeddedPostgresError,
      DatabaseError,
      ConfigError,
      ArtifactStoreError,
      DomainError,
      Unavailable,
    ];
    const fault = isFault(error) ? new BackupError(reasonOf(error)) : error;
    if (!(fault instanceof Error) || !known.some((kind) => fault instanceof kind)) throw error;
    tell(fault.message);
    process.exitCode = 1;
  }
}

/** A fault of the disk or the database, not a bug. */
export const isFault = (error: unknown): error is Error =>
  error instanceof Error &&
  ('syscall' in error ||
    error.name === 'error' || // of Postgres
    /^(Connection terminated|Client has encountered a connection error)/.test(error.message));

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The account and host of this process. */
export const operator = (): string => `${accountName()}@${hostname()}`;

/** In a container, the user may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
