import { performance } from 'node:perf_hooks';
import { expect, inject, test } from 'vitest';
import type { Knex } from 'knex';
import { openDatabase, type Connection } from '../../src/platform/db/index.ts';
import { databaseReadiness } from '../../src/platform/db/readiness.ts';
import { whenReachable } from '../../src/platform/db/reachable.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { spawnServer, startServer } from '../support/server-process.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgresProxy } from '../support/postgres-proxy.ts';
import { addressOf, replicaBeside, startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

/**
 * A role of the world's database that may have so many connections at once. It gets the rights of the owner as a member: the world's
 * service makes partitions meanwhile, and a grant on a table that changes fails.
 */
async function limitedRole({ db, name, connection }: IsolatedWorld, connections: number) {
  const role = `${name}_few`;
  await db.raw(`create role ${role} login password 'few' connection limit ${connections} in role current_user`);
  const limited: Exclude<Connection, string> = { ...connection, user: role, password: 'few' };
  return {
    connection: limited,
    async [Symbol.asyncDispose]() {
      await db.raw(`reassign owned by ${role} to current_user`); // partitions that a server of this role made
      await db.raw(`drop role ${role}`);
    },
  };
}

const lines: string[] = [];
const log = createLogger('info', [], (line) => void lines.push(line));

test('a burst beyond the free connections of Postgres waits for the connections that the pool has', async () => {
  await using world = await startIsolatedWorld();
  await using few = await limitedRole(world, 2);
  const db = openDatabase(few.connection);
  try {
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => db.raw('select pg_sleep(0.002)')));
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
  } finally {
    await db.destroy();
  }
});

test('without any free connection a call fails after the wait of the pool, not at once', async () => {
  await using world = await startIsolatedWorld();
  await using few = await limitedRole(world, 1);
  const holder = openDatabase(few.connection);
  const db = openDatabase(few.connection, { waitMs: 300 });
  try {
    await holder.raw('select 1');
    const startedAt = performance.now();
    await expect(db.raw('select 1')).rejects.toThrow('Timeout acquiring a connection');
    expect(performance.now() - startedAt).toBeGreaterThan(290);
  } finally {
    await Promise.all([holder.destroy(), db.destroy()]);
  }
});

test('a start waits for a free connection, says so, and goes on when there is one', async () => {
  await using world = await startIsolatedWorld();
  await using few = await limitedRole(world, 1);
  const holder = openDatabase(few.connection);
  const db = openDatabase(few.connection, { waitMs: 50 });
  lines.length = 0;
  try {
    await holder.raw('select 1');
    const waiting = whenReachable(() => db.raw('select 1'), { log, pauseMs: 10 });
    await expect.poll(() => lines.join()).toContain('waiting for the database');
    await holder.destroy();
    await waiting;
    expect(lines.length).toBe(1);
  } finally {
    await db.destroy();
  }
});

test('a start that gets no connection in time ends with a sentence and one line per interval', async () => {
  const port = await freePort();
  const db = openDatabase(`postgres://nobody@127.0.0.1:${port}/nothing`);
  lines.length = 0;
  try {
    const starting = whenReachable(() => db.raw('select 1'), { log, waitMs: 1_000, tellEveryMs: 300, pauseMs: 10 });
    await expect(starting).rejects.toMatchObject({
      name: 'DatabaseError',
      message: expect.stringMatching(/^the database at DATABASE_URL does not respond: .*ECONNREFUSED/),
    });
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThanOrEqual(5);
  } finally {
    await db.destroy();
  }
});

test('a server that starts while Postgres has no free connection starts once there is one', async () => {
  await using world = await startIsolatedWorld();
  await using few = await limitedRole(world, 3);
  const holders = Array.from({ length: 3 }, () => openDatabase(few.connection, { connections: 1 }));
  const url = addressOf({ ...world, connection: few.connection });
  await Promise.all(holders.map((holder) => holder.raw('select 1')));
  const env = { ...replicaBeside(world), DATABASE_URL: url, DATABASE_POOL: '2' };
  const server = spawnServer(env);
  await expect.poll(server.stdout).toContain('waiting for the database');
  await Promise.all(holders.map((holder) => holder.destroy()));
  await expect.poll(server.stdout).toContain('"msg":"ready"');
  const names = await world
    .db('pg_stat_activity')
    .where({ usename: few.connection.user })
    .pluck<string[]>('application_name');
  expect(names.length).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(1);
  expect(names[0]).toMatch(/^fleet-control-service [0-9a-f-]{36}$/);
  server.child.kill('SIGKILL');
  await server.exited;
});

test('under load a replica has at most the connections of its pool, and one for messages of other replicas', async () => {
  await using world = await startIsolatedWorld();
  await using own = await limitedRole(world, 50);
  const pool = 4;
  const url = addressOf({ ...world, connection: own.connection });
  await using server = await startServer({ ...replicaBeside(world), DATABASE_URL: url, DATABASE_POOL: String(pool) });
  const names = () =>
    world
      .db('pg_stat_activity')
      .where({ usename: own.connection.user, backend_type: 'client backend' })
      .whereNot({ application_name: '' })
      .pluck<string[]>('application_name');
  const headers = { Authorization: `Bearer ${world.orgToken}`, 'Content-Type': 'application/json' };
  const call = async (index: number) => {
    const body = JSON.stringify({ name: `site ${index}` });
    const write = index % 2 ? { method: 'POST', body } : {};
    return (await fetch(`${server.url}/api/sites`, { headers, ...write })).status;
  };
  const state = { isLoaded: true };
  const load = Promise.all(Array.from({ length: 600 }, (_, index) => call(index)));
  void load.finally(() => (state.isLoaded = false)).catch(() => undefined);
  const seen: number[] = [];
  while (state.isLoaded) {
    const found = await names();
    seen.push(found.length);
    expect(new Set(found).size).toBe(1);
  }
  const statuses = await load;
  expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(20);
  expect(Math.max(...seen)).toBeLessThanOrEqual(pool + 1);
  expect(Math.max(...seen)).toBeGreaterThan(pool - 1); // it was loaded
});

test('readiness replies within 500 ms while Postgres hangs, and says no once nothing was heard for a while', async () => {
  await using proxy = await startPostgresProxy(inject('postgres'));
  const db = openDatabase({ ...proxy.connection, database: 'postgres' });
  const isReady = databaseReadiness(db, { trustMs: 3_000 });
  try {
    expect(await isReady()).toBe(true);
    proxy.mode = 'hang';
    expect(await withoutWaiting(isReady)).toBe(true);
    await expect.poll(() => withoutWaiting(isReady)).toBe(false);
    expect(numberOfUsed(db)).toBe(1); // however many asked
    proxy.mode = 'pass';
    proxy.thaw();
    await expect.poll(() => withoutWaiting(isReady)).toBe(true);
    proxy.mode = 'refuse';
    await expect.poll(() => withoutWaiting(isReady)).toBe(false);
  } finally {
    await db.destroy();
  }
});

test('a pool whose connections are all busy does not make the service unready', async () => {
  const db = openDatabase(inject('postgres'), { connections: 1 });
  const isReady = databaseReadiness(db);
  try {
    expect(await isReady()).toBe(true);
    const busy = db.raw('select pg_sleep(3)');
    expect(await withoutWaiting(isReady)).toBe(true);
    await busy;
  } finally {
    await db.destroy();
  }
});

test('a pool that stays busy for longer than callers wait does not make the service unready at once', async () => {
  const db = openDatabase(inject('postgres'), { connections: 1, waitMs: 200 });
  const isReady = databaseReadiness(db);
  try {
    expect(await isReady()).toBe(true);
    const busy = db.raw('select pg_sleep(3)');
    for (let asked = 0; asked < 3; asked += 1) expect(await withoutWaiting(isReady)).toBe(true);
    await busy;
  } finally {
    await db.destroy();
  }
});

/** It replies after 400 ms at most; what it asks hangs for 3 s or more. */
async function withoutWaiting(isReady: () => Promise<boolean>): Promise<boolean> {
  const startedAt = performance.now();
  const ready = await isReady();
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  return ready;
}

const numberOfUsed = (db: Knex): number => (db.client as { pool: { numUsed(): number } }).pool.numUsed();
