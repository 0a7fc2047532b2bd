import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { inTransaction, type Work } from '../../../src/platform/db/transaction.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { startIsolatedWorld } from '../../support/world.ts';

const orgNamed = (trx: Knex, name: string) => trx('orgs').insert({ id: newId(), name, status: 'pending' });
const pidOf = async (trx: Knex) =>
  (await trx.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid')).rows[0].pid;
const done = <T>(result: T): Work<T> => ({ result, closing: [] });
const late = 'a statement was sent after the end of its transaction: is an await missing?';

test('what a transaction sends for want of an await, after its end, is refused and lands in no other transaction', async () => {
  await using world = await startIsolatedWorld();
  // Of its own, so that nobody else has the connection when the second transaction wants it.
  const db = openDatabase(world.connection);
  let goOn: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (goOn = resolve));
  const forgotten: Promise<unknown>[] = [];

  /** Handlers as somebody could write them: they do not wait for what they begin. */
  const first = await inTransaction(db, async (trx) => {
    const built = orgNamed(trx, 'built before the end');
    const raw = trx.raw('delete from orgs');
    const table = trx('orgs');
    const begin = async (send: () => PromiseLike<unknown>) => {
      await ended;
      await send();
    };
    forgotten.push(
      begin(() => orgNamed(trx, 'built after the end')),
      begin(() => trx.raw('delete from orgs')),
      begin(() => built),
      begin(() => raw),
      begin(() => table.insert({ id: newId(), name: 'half built before the end', status: 'pending' })),
    );
    return done(await pidOf(trx));
  });

  const second = await inTransaction(db, async (trx) => {
    await orgNamed(trx, 'of the second');
    goOn();
    const outcomes = await Promise.allSettled(forgotten);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : 'sent'))).toEqual(
      outcomes.map(() => `LateStatementError: ${late}`),
    );
    return done(await pidOf(trx));
  });
  expect(second).toBe(first);
  expect(await world.db('orgs').orderBy('id').pluck('name')).toEqual(['local', 'of the second']);
  await db.destroy();
});

test('a statement that comes while the commit is on its way is refused, not sent outside of the transaction', async () => {
  await using world = await startIsolatedWorld();
  let outcome: Promise<unknown> = Promise.resolve();
  await inTransaction(world.db, async (trx) => {
    await orgNamed(trx, 'in time');
    const closing = [orgNamed(trx, 'closing')];
    outcome = new Promise((resolve) => setImmediate(resolve)).then(() => orgNamed(trx, 'too late'));
    outcome.catch(() => undefined);
    return { result: undefined, closing };
  });
  await expect(outcome).rejects.toThrow(late);
  expect(await world.db('orgs').orderBy('name').pluck('name')).toEqual(['closing', 'in time', 'local']);
});

test('after a rollback the connection serves on, and what was late is refused as well', async () => {
  await using world = await startIsolatedWorld();
  let kept: Knex | undefined;
  const failing = inTransaction(world.db, async (trx) => {
    kept = trx;
    await orgNamed(trx, 'rolled back');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(() => kept?.('orgs')).toThrow(late);
  await inTransaction(world.db, async (trx) => done(await orgNamed(trx, 'next')));
  expect(await world.db('orgs').orderBy('id').pluck('name')).toEqual(['local', 'next']);
});
