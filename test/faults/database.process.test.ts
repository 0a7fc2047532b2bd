import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { migrate, openDatabase } from '../../src/platform/db/index.ts';
import { listApplied } from '../../src/platform/db/migrations/apply.ts';
import { knownMigrations } from '../../src/platform/db/migrations/index.ts';
import { plainMajor, startPlainPostgres } from '../support/plain-postgres.ts';
import { startServer } from '../support/server-process.ts';
import { testWith } from '../support/tools.ts';

/** Debian's Postgres, of another major version than the embedded one. */
const withPlainPostgres = testWith('postgresql');
const adminToken = 'x'.repeat(32);
const admin = { Authorization: `Bearer ${adminToken}` };

async function startOnPlain(url: string) {
  const server = await startServer({ DATABASE_URL: url, SERVICE_ADMIN_TOKEN: adminToken, RATE_LIMIT: 'off' });
  const createOrg = (name: string) =>
    fetch(`${server.url}/api/admin/orgs`, {
      method: 'POST',
      headers: { ...admin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name }),
      signal: AbortSignal.timeout(20_000),
    });
  return { ...server, createOrg };
}

withPlainPostgres('the service runs the first minutes on a plain Postgres of another major', async () => {
  await using postgres = await startPlainPostgres();
  await using server = await startOnPlain(postgres.url);
  const { createOrg } = server;
  expect(plainMajor).not.toBe(18);
  expect(server.stderr()).toBe('');
  const { data: org } = (await (await createOrg('Acme')).json()) as { data: { id: string } };
  const approved = (await (
    await fetch(`${server.url}/api/admin/orgs/${org.id}/approve`, { method: 'POST', headers: admin })
  ).json()) as { data: { token: string } };
  const post = async (path: string, body: object, token: string) =>
    (
      (await (
        await fetch(`${server.url}${path}`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as { data: Record<string, string> }
    ).data;
  const site = await post('/api/sites', { name: 'Osaka' }, approved.data.token);
  const fleet = await post('/api/fleets', { name: 'pickers', site_id: site['id'] }, approved.data.token);
  const key = await post('/api/enrollment-keys', { site_id: site['id'], fleet_id: fleet['id'] }, approved.data.token);
  const robot = await post('/agent/enroll', {}, key['value'] ?? '');
  expect(robot['robot_token']).toMatch(/^svc_robot_/);
});

withPlainPostgres(
  'while the database is away calls answer 503 with Retry-After, the process stays up, and it heals by itself',
  async () => {
    await using postgres = await startPlainPostgres();
    await using server = await startOnPlain(postgres.url);
    const { createOrg } = server;
    expect((await createOrg('before')).status).toBe(201);
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await postgres.stop(signal);
      const away = await createOrg('during');
      expect(away.status).toBe(503);
      expect(away.headers.get('retry-after')).toBe('1');
      expect(await away.json()).toEqual({
        error: { code: 'http_error', message: 'the database is not reachable, try again' },
      });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await postgres.start();
      await expect.poll(async () => (await createOrg('after')).status).toBe(201);
      await expect
        .poll(async () => ((await (await fetch(`${server.url}/readyz`)).json()) as { bus: string }).bus)
        .toBe('ok');
    }
  },
);

withPlainPostgres('a database that hangs costs a 503, not a request that never ends', async () => {
  await using postgres = await startPlainPostgres();
  await using server = await startOnPlain(postgres.url);
  const { createOrg } = server;
  expect((await createOrg('before')).status).toBe(201);
  postgres.signalAll('SIGSTOP');
  const hanging = createOrg('during');
  expect((await hanging).status).toBe(503);
  postgres.signalAll('SIGCONT');
  await expect.poll(async () => (await createOrg('after')).status).toBe(201);
});

withPlainPostgres('backends that are killed under load cost some 503 and no acknowledged row', async () => {
  await using postgres = await startPlainPostgres();
  await using server = await startOnPlain(postgres.url);
  const { createOrg } = server;
  const db = openDatabase(postgres.url);
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  const load = async () => {
    for (let count = 0; count < 60; count += 1) {
      const name = randomUUID();
      const response = await createOrg(name);
      statuses.add(response.status);
      if (response.status === 201) acknowledged.push(name);
    }
  };
  const killing = setInterval(() => {
    void db
      .raw(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'fleet-control-service %' and pid <> pg_backend_pid() limit 3",
      )
      .catch(() => undefined);
  }, 50);
  await Promise.all(Array.from({ length: 6 }, load));
  clearInterval(killing);
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  const stored = new Set(await db('orgs').pluck('name'));
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  await db.destroy();
});

withPlainPostgres('kill -9 of the server under load loses nothing it acknowledged, and it starts again', async () => {
  await using postgres = await startPlainPostgres();
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using server = await startOnPlain(postgres.url);
    const { createOrg } = server;
    const load = async () => {
      for (;;) {
        const name = randomUUID();
        const response = await createOrg(name).catch(() => undefined);
        if (!response) return;
        if (response.status === 201) acknowledged.push(name);
      }
    };
    const running = Promise.all(Array.from({ length: 4 }, load));
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20 * (round + 1));
    await server.end('SIGKILL');
    await running;
  }
  const db = openDatabase(postgres.url);
  const stored = new Set(await db('orgs').pluck('name'));
  // Each has its audit row: the two were one commit.
  const audited = new Set(await db('audit').where({ operation: 'createOrg' }).pluck('object_id'));
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect((await db('orgs').pluck('id')).filter((id: string) => !audited.has(id))).toEqual([]);
  await db.destroy();
});

withPlainPostgres('six servers that start at once on an empty database migrate it once', async () => {
  await using postgres = await startPlainPostgres();
  const pools = Array.from({ length: 6 }, () => openDatabase(postgres.url));
  await Promise.all(pools.map((pool) => migrate(pool)));
  const [first] = pools;
  expect(first && Object.values(await listApplied(first)).flat()).toEqual(knownMigrations);
  await Promise.all(pools.map((pool) => pool.destroy()));
});

withPlainPostgres("knex's own lock, left by a killed server, does not stop the next start", async () => {
  await using postgres = await startPlainPostgres();
  const db = openDatabase(postgres.url);
  await migrate(db);
  await db('migrations_lock').update({ is_locked: 1 });
  await expect(migrate(db)).resolves.toBeUndefined();
  await db.destroy();
});

withPlainPostgres('a schema of a newer version is refused with a sentence', async () => {
  await using postgres = await startPlainPostgres();
  const db = openDatabase(postgres.url);
  await migrate(db);
  await db('migrations').insert({ name: '9999_future', batch: 2, migration_time: new Date() });
  await expect(migrate(db)).rejects.toThrow(
    'the database was created by a newer version of the service (it has 9999_future); start that version',
  );
  await db.destroy();
});
