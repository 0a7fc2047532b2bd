import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { HeldClient, type ShortClient } from './client.ts';

/** What a transaction gives, and the statements that end it: they are sent together with the commit. */
export interface Work<T> {
  result: T;
  closing: Knex.ChainableInterface[];
}

// A Knex over one connection costs as much to make as a statement does, and is the same for every transaction there.
const bound = new WeakMap<pg.Client, Knex>();

function bind(connection: pg.Client): Knex {
  const trx = bound.get(connection) ?? knex({ client: HeldClient });
  bound.set(connection, trx);
  (trx.client as HeldClient).held = connection;
  return trx;
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
 * error is the outcome. The work must await everything that it sends, but for the closing statements.
 */
export async function inTransaction<T>(db: Knex, work: (trx: Knex) => Promise<Work<T>>): Promise<T> {
  const client = db.client as ShortClient;
  const connection = (await client.acquireConnection()) as pg.Client;
  const trx = bind(connection);
  try {
    sendTogether(connection);
    const begun = connection.query('begin');
    begun.catch(() => undefined); // awaited below; the first statement fails with it
    try {
      const { result, closing } = await work(trx);
      sendTogether(connection);
      const sent = closing.map((statement) => client.send(connection, statement as never));
      const ends = connection.query('commit');
      const [committed] = await Promise.all([ends, begun, ...sent]);
      if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
      return result;
    } catch (error) {
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  } finally {
    (trx.client as HeldClient).held = undefined;
    await client.releaseConnection(connection);
  }
}
