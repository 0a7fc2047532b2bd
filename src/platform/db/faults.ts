/** Whether Postgres refused a connection because of `max_connections`, or because of the limit of a role or database. */
export const isOutOfConnections = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300';
