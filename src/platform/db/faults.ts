import { errorText } from '../../kernel/errors.ts';

/** Whether all connections of the pool stayed in use until the acquire timeout. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Timeout acquiring a connection');

/** Whether the database did not respond in time, or the pool had no connection: it may be busy, frozen or unreachable. */
export const isDatabaseLate = (error: unknown): boolean => error instanceof Error && lateMessages.test(error.message);

/**
 * Whether Postgres refused a connection because of `max_connections`, or the limit of a role or database; or PgBouncer
 * because of `max_client_conn`.
 */
export const isOutOfConnections = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === '53300' ||
  (error instanceof Error && error.message.includes('(max_client_conn)'));

/** A sentence for the operator, if the address in `setting` is unexpectedly that of a pooler. */
export const poolerRefusal = (error: unknown, setting: string): string | undefined =>
  error instanceof Error && error.message.includes('unsupported startup parameter')
    ? `${setting} is the address of a pooler (${error.message}): set DATABASE_DIRECT_URL to the address of Postgres itself`
    : undefined;

/** Whether TLS failed: a certificate that is not trusted, a file of the address that cannot be read, or no TLS at all. */
export const isUntrusted = (error: Error): boolean =>
  /^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_)/.test(String((error as { code?: unknown }).code)) ||
  (error as { syscall?: unknown }).syscall === 'open' ||
  error.message === 'The server does not support SSL connections';

/** What Postgres or the network said, without the statement that knex writes before it. */
export function reasonOf(error: Error): string {
  const isOfPostgres = error.name === 'error';
  return isOfPostgres ? error.message.replace(/^.* - /s, '') : errorText(error);
}

/** A wrong password or a missing database: waiting does not help. */
export const isRefused = (error: unknown): boolean =>
  /^(28...|3D000)$/.test(String((error as { code?: unknown } | null)?.code));

/** A disk without room (53100), or a role that may not do it (42501): for the operator, whatever the statement was. */
export const isForOperator = (error: unknown): boolean =>
  /^(53100|42501)$/.test(String((error as { code?: unknown } | null)?.code));

/**
 * Whether no retry helps: wrong data (21, 22), wrong SQL (42), or a limit of Postgres (54). Not a missing right (42501),
 * which the operator can grant. After any other error, the database is unavailable, full or busy.
 */
export const isLasting = (error: unknown): boolean =>
  /^(2[12]|42(?!501)|54)/.test(String((error as { code?: unknown } | null)?.code));

/** Whether the other rows of a statement may succeed without the one at fault: a constraint, a trigger or a damaged page. */
export const isOfSomeRows = (error: unknown): boolean =>
  isLasting(error) || /^(23|P0|XX)/.test(String((error as { code?: unknown } | null)?.code));

/** Whether a standby refused a change, or none of several servers is the primary. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006';

// Postgres error classes and codes: connection lost (08) or refused (28, 3D000, 55000), shutting down or starting
// (57P0x), read-only standby (25006), no free connection (53300); then Node's codes.
const awayCodes =
  /^(08...|28...|3D000|55000|57P0.|25006|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const awayMessages = /Connection terminated|Connection ended|not queryable/;
const lateMessages = /timeout expired|Query read timeout|Timeout acquiring a connection/;

/** Whether another transaction held a row or a lock for longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '55P03';

/**
 * Whether the same statement may succeed later: a lock timeout (55P03), a statement timeout (57014), or a transaction
 * that lost to others in every retry (deadlock 40P01, serialization 40001).
 */
export const isDatabaseBusy = (error: unknown): boolean =>
  /^(55P03|57014|40P01|40001)$/.test(String((error as { code?: unknown } | null)?.code));

/** Whether the database was unreachable, as opposed to returning an error. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect') return true; // also ENOENT, for a missing Unix socket
  return (
    (typeof code === 'string' && awayCodes.test(code)) ||
    error.name === 'KnexTimeoutError' ||
    isDatabaseLate(error) ||
    awayMessages.test(error.message)
  );
}
