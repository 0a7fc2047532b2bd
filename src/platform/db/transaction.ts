import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { HeldClient, LateStatementError, type ShortClient } from './client.ts';

/** What a transaction gives, and the statements that end it: they are sent together with the commit. */
export interface Work<T> {
  result: T;
  closing: Knex.ChainableInterface[];
}

// A Knex over one connection costs as much to make as a statement does, so there is one for all transactions there.
const bound = new WeakMap<pg.Client, { trx: Knex; client: HeldClient }>();

function bindingOf(connection: pg.Client): { trx: Knex; client: HeldClient } {
  const known = bound.get(connection);
  if (known) return known;
  const trx = knex({ client: HeldClient });
  const made = { trx, client: trx.client as HeldClient };
  bound.set(connection, made);
  return made;
}

/**
 * The connection's Knex for one transaction, until `end`. Work that forgot an await goes on after that: neither what it still builds nor what it
 * has built may be sent then, for the next transaction on this connection would commit it as its own. So each transaction builds with a client of
 * its own, which `end` lets go of the connection, and reaches the shared Knex through a proxy, which refuses everything after `end`.
 */
function bind(connection: pg.Client): { trx: Knex; end: () => void } {
  const { trx, client: shared } = bindingOf(connection);
  const client = Object.create(shared) as HeldClient;
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

/** What is sent before the next tick leaves in one packet: one system call here, and one waking of Postgres. */
function sendTogether(connection: pg.Client): void {
  // pg does not type its socket, and offers no other way to hold it.
  const { stream } = (connection as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Runs work in one transaction. BEGIN goes out together with the work's first statement and COMMIT together with its closing ones, for the
 * connection is pipelined: a change of two rows takes two round trips, not four. A statement that fails makes the commit a rollback, and its
 * error is the outcome. The work must await everything that it sends, but for the closing statements: what it sends later is refused.
 */
export async function inTransaction<T>(db: Knex, work: (trx: Knex) => Promise<Work<T>>): Promise<T> {
  const client = db.client as ShortClient;
  const connection = (await client.acquireConnection()) as pg.Client;
  const { trx, end } = bind(connection);
  try {
    sendTogether(connection);
    const begun = connection.query('begin');
    begun.catch(() => undefined); // awaited below; the first statement fails with it
    try {
      const { result, closing } = await work(trx);
      end();
      sendTogether(connection);
      const sent = closing.map((statement) => client.send(connection, statement as never));
      const ends = connection.query('commit');
      const [committed] = await Promise.all([ends, begun, ...sent]);
      if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
      return result;
    } catch (error) {
      end();
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  } finally {
    await client.releaseConnection(connection);
  }
}
