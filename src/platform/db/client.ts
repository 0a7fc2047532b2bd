import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { isOutOfConnections, isReadOnly } from './faults.ts';
import { endWhenOverdue } from './overdue.ts';
import { createRawStatements, type RawStatement } from './raw-statements.ts';
import { traceStatements, type StatementTrace } from './traced.ts';

/** Pause between connection attempts while Postgres has no free connection. */
const connectAgainMs = 500;

/** What `openDatabase` adds to the settings of pg. */
interface ConnectionSettings {
  /** A connection ends after this time without a result, in ms; 0: never. */
  overdueAfterMs?: number;
  /** Looks for another primary while this one is silent; undefined for an address of one server. */
  recheck?: () => void;
  trace?: StatementTrace | undefined;
}

/** Of all connections: their texts are the same. */
const rawStatements = createRawStatements();

/** The argument of `runner`: a query or a raw statement, with the properties that the short path does not support. */
interface Builder extends RawStatement {
  toSQL(): Knex.Sql;
  _sequence?: unknown; // for schema builders: several statements
  _timeout?: number;
  _eventsCount?: number;
}

/**
 * knex's Postgres client with a shorter path from a builder to the connection. knex's own runner needs six promises,
 * two events and a copy of the query for each statement: over a third of a statement's cost in this process. Features
 * beyond the short path (schemas, timeouts, listeners) still use that runner.
 */
export class FastPathClient extends PostgresClient {
  override runner(builder: Builder): { run(): Promise<unknown> } {
    // Includes knex's own transactions: its runner refuses a statement after their end.
    if (this.transacting === true || builder._sequence !== undefined || builder._timeout || builder._eventsCount)
      return super.runner(builder) as { run(): Promise<unknown> };
    return { run: () => this.onConnection((connection) => this.send(connection, builder)) };
  }

  /** Runs a statement that knex did not build, with its own parsers; returns rows as arrays in column order. */
  arrays<Value>(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<Value[]>> {
    return this.onConnection((connection) =>
      connection.query<Value[]>(statement).catch((error: unknown) => {
        throw withoutValues(error, statement.text);
      }),
    );
  }

  /**
   * The pool calls it to open a connection. Its error would fail the caller that has waited longest, although one of
   * the pool's connections may serve that caller soon. So while Postgres has no free connection, the attempt repeats as
   * long as a caller waits; the pool limits each wait.
   */
  override async acquireRawConnection(): Promise<pg.Client> {
    const { pool } = this as unknown as { pool: { numPendingAcquires(): number } };
    for (;;) {
      try {
        const connection = (await super.acquireRawConnection()) as pg.Client;
        const { overdueAfterMs, recheck, trace } = this.connectionSettings as ConnectionSettings;
        if (overdueAfterMs) endWhenOverdue(connection, overdueAfterMs, recheck);
        if (trace) traceStatements(connection, trace);
        return connection;
      } catch (error) {
        if (!isOutOfConnections(error)) throw error;
        await sleep(connectAgainMs);
        if (pool.numPendingAcquires() === 0) throw error;
      }
    }
  }

  private async onConnection<T>(work: (connection: pg.Client) => Promise<T>): Promise<T> {
    const connection = (await this.acquireConnection()) as pg.Client;
    try {
      return await work(connection);
    } finally {
      await this.releaseConnection(connection);
    }
  }

  /** Sends a statement at once, after those that the connection has not finished yet. */
  async send(connection: pg.Client, builder: Builder): Promise<unknown> {
    const known = rawStatements.find(builder);
    if (known) return query(connection, known.text, known.values);
    const compiled = builder.toSQL();
    const { sql, bindings } = compiled.toNative();
    rawStatements.learn(builder, sql);
    const response = await query(connection, sql, bindings);
    return this.processResponse({ response, ...compiled }, undefined);
  }
}

async function query(connection: pg.Client, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  try {
    return await connection.query(sql, [...values]);
  } catch (error) {
    // Its server is a standby by now: a retry must not get this connection again.
    if (isReadOnly(error)) Object.assign(connection, { __knex__disposed: error });
    throw withoutValues(error, sql);
  }
}

/** An error that is safe to log: it names the statement, without row values, which may contain any text. */
function withoutValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = `${sql} - ${error.message}`;
  Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  return error;
}

/** A bug: a statement was sent after the end of its transaction, most likely for a missing `await`. */
export class LateStatementError extends Error {
  override readonly name = 'LateStatementError';
  constructor() {
    super('a statement was sent after the end of its transaction: is an await missing?');
  }
}

/** The client of one transaction: all statements use one connection, which `inTransaction` acquires and releases. */
export class TransactionClient extends FastPathClient {
  held: pg.Client | undefined;
  override async acquireConnection(): Promise<pg.Client> {
    if (!this.held) throw new LateStatementError();
    return this.held;
  }
  override async releaseConnection(): Promise<void> {}
}
