import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { TransactionClient, LateStatementError, type FastPathClient } from './client.ts';
import { socketOf } from './overdue.ts';

/** The result of a transaction, and its last statements: they are sent together with the commit. */
export interface Work<T> {
  result: T;
  closing: Knex.ChainableInterface[];
  /** Called after the commit, unless its reply is lost. Must not throw: the change is made. */
  onCommit?(): void;
}

// Creating a Knex for a connection costs as much as a statement, so all transactions of the connection share one.
const bound = new WeakMap<pg.Client, { trx: Knex; client: TransactionClient }>();

function bindingOf(connection: pg.Client): { trx: Knex; client: TransactionClient } {
  const known = bound.get(connection);
  if (known) return known;
  const trx = knex({ client: TransactionClient });
  const made = { trx, client: trx.client as TransactionClient };
  bound.set(connection, made);
  return made;
}

/**
 * The connection's Knex for one transaction, until `end`. Work with a missing await continues after `end`. Neither its
 * new nor its prepared statements may be sent then, as the next transaction on this connection would commit them. So
 * each transaction builds with its own client, which `end` detaches from the connection. It reaches the shared Knex
 * through a proxy that refuses everything after `end`.
 */
function bind(connection: pg.Client): { trx: Knex; end: () => void } {
  const { trx, client: shared } = bindingOf(connection);
  const client = Object.create(shared) as TransactionClient;
  client.held = connection;
  trx.client = client;
  const open = () => {
    if (!client.held) throw new LateStatementError();
  };
  const guarded = new Proxy(trx, {
    get(target, property): unknown {
      open();
      return Reflect.get(target, property, target);
    },
    apply(target, self, args: Parameters<Knex>): unknown {
      open();
      return Reflect.apply(target, self, args);
    },
  });
  return { trx: guarded, end: () => (client.held = undefined) };
}

/** Data sent before the next tick leaves in one packet: one system call here, and one wake-up of Postgres. */
function sendTogether(connection: pg.Client): void {
  const socket = socketOf(connection); // pg has no other way to cork it
  socket.cork();
  process.nextTick(() => socket.uncork());
}

/**
 * Runs work in one transaction. BEGIN is sent with the work's first statement and COMMIT with its closing statements,
 * as the connection is pipelined: a change of two rows takes two round trips, not four. A failed statement turns the
 * commit into a rollback, and its error is the outcome. The work must await every statement except the closing ones:
 * later statements are refused.
 */
export async function inTransaction<T>(db: Knex, work: (trx: Knex) => Promise<Work<T>>): Promise<T> {
  const client = db.client as FastPathClient;
  const connection = (await client.acquireConnection()) as pg.Client;
  const { trx, end } = bind(connection);
  let committed: Work<T>;
  try {
    sendTogether(connection);
    const begun = connection.query('begin');
    begun.catch(() => undefined); // awaited below; on failure the first statement fails too
    try {
      committed = await work(trx);
      end();
      sendTogether(connection);
      const sent = committed.closing.map((statement) => client.send(connection, statement as never));
      const ends = connection.query('commit');
      const [reply] = await Promise.all([ends, begun, ...sent]);
      if (reply.command !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
    } catch (error) {
      end();
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  } finally {
    await client.releaseConnection(connection);
  }
  committed.onCommit?.();
  return committed.result;
}
