/** Whether all connections of the pool stayed in use for as long as a caller waits for one. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Timeout acquiring a connection');

/** Whether Postgres refused a connection because of `max_connections`, or because of the limit of a role or database. */
export const isOutOfConnections = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300';

// Classes and codes of Postgres: connection lost (08) or not let in (28, 3D000, 55000), shutting down or starting (57P0x),
// read-only standby (25006), no free connection (53300); then those of Node.
const awayCodes =
  /^(08...|28...|3D000|55000|57P0.|25006|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
const awayMessages =
  /Connection terminated|timeout expired|Query read timeout|Timeout acquiring a connection|Connection ended|not queryable/;

/**
 * Whether the same statement may succeed later: it waited too long for a lock (55P03) or its end (57014), or its transaction lost
 * against others each time it ran (deadlock 40P01, serialization 40001).
 */
export const isDatabaseBusy = (error: unknown): boolean =>
  /^(55P03|57014|40P01|40001)$/.test(String((error as { code?: unknown } | null)?.code));

/** Whether the database could not be asked, as against: it answered with an error. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (syscall === 'connect') return true; // also ENOENT, when a Unix socket is gone
  return (
    (typeof code === 'string' && awayCodes.test(code)) ||
    error.name === 'KnexTimeoutError' ||
    awayMessages.test(error.message)
  );
}
