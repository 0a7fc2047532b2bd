/** Log for messages of the supervisor to the operator; compatible with a pino logger. */
export interface EmbeddedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** An error that the operator can act on: one sentence, printed without a stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Another process holds the data folder. */
export class FolderInUseError extends EmbeddedPostgresError {}

/** The `code` of a failed system call (`ENOENT`, `EACCES`), undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The account that runs the Postgres programs. */
export interface Account {
  /** For `spawn`; undefined: the account of this process. */
  ids: { uid: number; gid: number } | undefined;
  /** Command and arguments before the program. */
  prefix: readonly string[];
  /** Required owner of the database's files; undefined: the present owner, which is this process's account. */
  owner: { uid: number; gid: number } | undefined;
}
