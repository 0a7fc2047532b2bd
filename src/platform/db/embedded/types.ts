/** What the supervisor tells the operator; a pino logger fits. */
export interface EmbeddedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Something the operator can act on: one sentence, printed without a stack. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The `code` of a failed system call (`ENOENT`, `EACCES`), undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Who runs the Postgres programs. */
export interface Account {
  /** For `spawn`; unset: as ourselves. */
  ids: { uid: number; gid: number } | undefined;
  /** Words before the program. */
  prefix: readonly string[];
  /** Who must own the database's files; undefined: the present owner, which is ourselves. */
  owner: { uid: number; gid: number } | undefined;
}
