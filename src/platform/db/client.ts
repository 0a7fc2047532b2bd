import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import PostgresClient from 'knex/lib/dialects/postgres/index.js';
import type pg from 'pg';
import { isOutOfConnections } from './faults.ts';

/** Pause between attempts to connect while Postgres has no free connection. */
const connectAgainMs = 500;

/** What `runner` is given: a query or a raw statement, with what the short way cannot do. */
interface Builder {
  toSQL(): Knex.Sql;
  _sequence?: unknown; // of schema builders: several statements
  _timeout?: number;
  _eventsCount?: number;
}

/**
 * knex's client of Postgres with a shorter way from a builder to the connection. knex's own goes through a runner of six promises, two events
 * and a copy of the query for each statement, a good third of what a statement costs this process. Whatever that runner does beyond (schemas,
 * time limits, listeners) still goes through it.
 */
export class ShortClient extends PostgresClient {
  override runner(builder: Builder): { run(): Promise<unknown> } {
    // knex's own transactions among them: its runner refuses a statement that comes after their end.
    if (this.transacting === true || builder._sequence !== undefined || builder._timeout || builder._eventsCount)
      return super.runner(builder) as { run(): Promise<unknown> };
    return { run: () => this.onConnection((connection) => this.send(connection, builder)) };
  }

  /** Runs a statement that knex did not build, with parsers of its own; gives rows as arrays in the order of the columns. */
  arrays<Value>(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<Value[]>> {
    return this.onConnection((connection) =>
      connection.query<Value[]>(statement).catch((error: unknown) => {
        throw withoutValues(error, statement.text);
      }),
    );
  }

  /**
   * Called by the pool to open a connection. Its error would fail the caller that has waited longest, although one of the pool's own connections may
   * serve that caller soon. So while Postgres has no free connection, the attempt repeats as long as a caller waits; the pool limits each wait.
   */
  override async acquireRawConnection(): Promise<pg.Client> {
    const { pool } = this as unknown as { pool: { numPendingAcquires(): number } };
    for (;;) {
      try {
        return (await super.acquireRawConnection()) as pg.Client;
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

  /** Sends a statement at once, behind those that the connection has not answered yet. */
  async send(connection: pg.Client, builder: Builder): Promise<unknown> {
    const compiled = builder.toSQL();
    const { sql, bindings } = compiled.toNative();
    try {
      const response = await connection.query(sql, [...bindings]);
      return this.processResponse({ ...compiled, response }, undefined);
    } catch (error) {
      throw withoutValues(error, sql);
    }
  }
}

/** An error that may be logged: it names the statement, and holds no value of a row, which can be anybody's text. */
function withoutValues(error: unknown, sql: string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = `${sql} - ${error.message}`;
  Object.assign(error, { detail: undefined, where: undefined, internalQuery: undefined });
  return error;
}

/** A bug: work went on after its transaction had ended, most likely for want of an `await`. */
export class LateStatementError extends Error {
  override readonly name = 'LateStatementError';
  constructor() {
    super('a statement was sent after the end of its transaction: is an await missing?');
  }
}

/** The client of one transaction: everything goes to the one connection, which somebody else acquired and will release. */
export class HeldClient extends ShortClient {
  held: pg.Client | undefined;
  override async acquireConnection(): Promise<pg.Client> {
    if (!this.held) throw new LateStatementError();
    return this.held;
  }
  override async releaseConnection(): Promise<void> {}
}
