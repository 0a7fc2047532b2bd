import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../../src/platform/db/faults.ts';
import { openDatabase } from '../../../src/platform/db/index.ts';
import { startPostgresProxy } from '../../support/postgres-proxy.ts';
import { startWorld } from '../../support/world.ts';

const resultMs = 1_000;

async function pidOf(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: [{ pid: number }] }>('select pg_backend_pid() as pid');
  return rows[0].pid;
}

/** A database of one connection through a proxy. */
async function openThroughProxy() {
  const world = await startWorld();
  const proxy = await startPostgresProxy(world.connection);
  const db = openDatabase(proxy.connection, { connections: 1, resultMs });
  return {
    proxy,
    db,
    async [Symbol.asyncDispose]() {
      proxy.mode = 'pass';
      await db.destroy();
      await proxy[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a statement without a response fails as by a database that is away, and the next one gets another connection', async () => {
  await using opened = await openThroughProxy();
  const { proxy, db } = opened;
  const before = await pidOf(db);
  proxy.mode = 'hang';
  const error = await db.raw('select 1').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(String(error)).toContain('Postgres did not respond for 1 s');
  expect(isDatabaseAway(error)).toBe(true);

  proxy.mode = 'pass';
  expect(await pidOf(db)).not.toBe(before);
});

test('a connection stays while it waits for nothing, and while Postgres sends something', async () => {
  await using opened = await openThroughProxy();
  const { db } = opened;
  const before = await pidOf(db);
  await new Promise((resolve) => setTimeout(resolve, 2.5 * resultMs));
  expect(await pidOf(db)).toBe(before);
  await db.raw(`do $$ begin for i in 1 .. 6 loop raise notice 'more'; perform pg_sleep(0.5); end loop; end $$`);
  expect(await pidOf(db)).toBe(before);
});
