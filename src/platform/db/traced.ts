import type pg from 'pg';

/** Called as a statement is sent; what it returns is called with the outcome. */
export type StatementTrace = (text: string) => ((error?: unknown) => void) | undefined;

/** Calls `begin` for each statement of this connection. */
export function traceStatements(connection: pg.Client, begin: StatementTrace): void {
  const query = connection.query.bind(connection) as (...sent: unknown[]) => unknown;
  const traced = (...sent: unknown[]): unknown => {
    const result = query(...sent);
    if (!(result instanceof Promise)) return result;
    const [first] = sent as [string | { text: string }];
    const end = begin(typeof first === 'string' ? first : first.text);
    if (end) result.then(() => end(), end);
    return result;
  };
  connection.query = traced as pg.Client['query'];
}
