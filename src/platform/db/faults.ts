/** Whether all connections of the pool stayed in use for as long as a caller waits for one. */
export const isPoolBusy = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Timeout acquiring a connection');

/** Whether Postgres refused a connection because of `max_connections`, or because of the limit of a role or database. */
export const isOutOfConnections = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300';
