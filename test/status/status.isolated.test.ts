import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { knownMigrations } from '../../src/platform/db/migrations/index.ts';
import { problemsOf, type LocalState, type StoredState } from '../../src/status/model.ts';
import { signedInHome } from '../support/cli.ts';
import { factories } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

const statusOf = async (world: IsolatedWorld) =>
  (await world.call('GET', '/api/admin/status', { token: world.adminToken })).body.data;

/** What `cli admin status` prints, by the header of each line; without its problems. */
const rowsOf = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    stdout
      .split(/\r?\n/)
      .map((line) => /^([A-Z]+(?: [A-Z]+)*) {2,}(.*?) *$/.exec(line))
      .filter((row) => row !== null)
      .map(([, header = '', text = '']) => [header, text]),
  );

const codesOf = async (world: IsolatedWorld): Promise<string[]> =>
  ((await statusOf(world)).problems as { code: string }[]).map(({ code }) => code);

const backedUp = (world: IsolatedWorld, daysAgo: number) =>
  world.db('backups').insert({
    id: randomUUID(),
    taken_at: new Date(Date.now() - daysAgo * 86_400_000),
    bytes: 1_000,
    taken_by: 'fleet@control-1',
  });

test('the status has the replica, its version, the schema and the last backup', async () => {
  await using world = await startIsolatedWorld();
  const fresh = await statusOf(world);
  expect(fresh).toMatchObject({
    version: '0.1.0',
    newer_migrations: [],
    replicas: [{ version: '0.1.0', ready: true, links: 0, records_hints: true }],
    bus: { carrier: 'postgres', up: true },
    queues: { due_deployments: 0, open_orders: 0 },
  });
  expect(fresh).not.toHaveProperty('standby');
  expect(fresh).not.toHaveProperty('last_backup');
  await backedUp(world, -2); // while the clock of the database was wrong
  expect(await codesOf(world)).toContain('no_backup');
  await backedUp(world, 8);
  expect(await codesOf(world)).toContain('backup_old');
  await backedUp(world, 1);
  expect((await statusOf(world)).last_backup).toMatchObject({ bytes: 1_000, taken_by: 'fleet@control-1' });
  const codes = await codesOf(world);
  expect(codes).not.toContain('backup_old');
  expect(codes).not.toContain('no_backup');
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const at = Number(/^fleet_last_backup_timestamp_seconds (\S+)/m.exec(metrics)?.[1]);
  expect(at).toBeCloseTo(Date.now() / 1_000 - 86_400, -2);
});

test('a quota that is nearly used up, a dead replica and a newer schema need attention', async () => {
  await using world = await startIsolatedWorld();
  await factories(world).robot();
  const limit = { token: world.adminToken, body: { robots: 1 } };
  await world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, limit);
  await world.db('replicas').insert({ id: randomUUID(), lease_until: new Date(Date.now() - 60_000) });
  await world.db('migrations').insert({ name: '9999_later', batch: 99, migration_time: new Date() });
  expect(await statusOf(world)).toMatchObject({
    quotas: [{ org_id: world.orgId, quota: 'robots', used: 1, limit: 1 }],
    newer_migrations: ['9999_later'],
  });
  expect(await codesOf(world)).toEqual(expect.arrayContaining(['quota_near_limit', 'replica_dead', 'newer_schema']));
});

test('replicas of different versions need attention while both run', async () => {
  await using world = await startIsolatedWorld();
  const replica = (version: string | null, leaseSeconds: number) =>
    world
      .db('replicas')
      .insert({ id: randomUUID(), version, lease_until: new Date(Date.now() + leaseSeconds * 1_000) });
  await replica('0.0.9', -1);
  expect(await codesOf(world)).not.toContain('versions_differ');
  await replica('0.0.9', 600);
  await replica(null, 600);
  const { problems } = (await statusOf(world)) as { problems: { code: string }[] };
  expect(problems.find(({ code }) => code === 'versions_differ')).toEqual({
    severity: 'warning',
    code: 'versions_differ',
    message: expect.stringMatching(/^replicas run different versions \(.*0\.0\.9.*\): finish the upgrade$/) as string,
  });
});

test('the status counts unfinished erasures and what the retention removed', async () => {
  await using world = await startIsolatedWorld({ env: { DEPLOYMENT_RETENTION_DAYS: '30' } });
  await using home = await signedInHome(world);
  expect((await statusOf(world)).erasures).toEqual({ unfinished: 0 });
  expect(await statusOf(world)).not.toHaveProperty('retention');
  const erasure = (createdAt: string, finishedAt?: Date) => ({
    id: randomUUID(),
    org_id: world.orgId,
    robot_id: randomUUID(),
    created_at: createdAt,
    settles_at: '2100-01-01',
    finished_at: finishedAt ?? null,
  });
  const [first, second] = ['2026-01-02T03:04:05.000Z', '2026-01-03T03:04:05.000Z'];
  await world.db('erasures').insert([erasure(second), erasure(first), erasure('2026-01-01', new Date())]);
  expect((await statusOf(world)).erasures).toEqual({ unfinished: 2, oldest_since: first });

  const removed = JSON.stringify({ targets: 40, payloads: 2 });
  await world.db('deployment_retention').insert({ removed, ended_at: '2025-01-01T00:00:00Z' });
  const until = '2025-01-01T00:00:00.000Z';
  const retention = { removed_rows: 42, table: 'deployments', deployments_until: until };
  expect((await statusOf(world)).retention).toEqual(retention);
  const shown = async () => (await home.cli(['admin', 'status'], { columns: 120, env: { NO_COLOR: '1' } })).stdout;
  expect(await shown()).toContain(`42 rows removed, looks through deployments that ended after ${until}`);
  await world.db('deployment_retention').update({ ended_at: null, walk: 'payloads' });
  expect((await statusOf(world)).retention).toEqual({ removed_rows: 42, table: 'payloads' });
  expect(await shown()).toMatch(/42 rows removed, looks through payloads$/m);
  await world.db('deployment_retention').update({ walk: null, resume_at: '2100-01-01' });
  expect((await statusOf(world)).retention).toEqual({ removed_rows: 42, next_round_at: '2100-01-01T00:00:00.000Z' });
  const stdout = await shown();
  expect(stdout).toMatch(/2 unfinished, the oldest since \d+d ago/);
  expect(stdout).toMatch(/42 rows removed, next round in \d+d/);
});

test('the status has no retention once that is off', async () => {
  await using world = await startIsolatedWorld();
  await world.db('deployment_retention').insert({ ended_at: '2025-01-01T00:00:00Z' });
  expect(await statusOf(world)).not.toHaveProperty('retention');
});

test('the worst problem comes first', () => {
  const stored: StoredState = {
    appliedMigrations: ['a'],
    replicas: [],
    logs: { oldestUnmergedSeconds: 3_600, unmergedBytes: 1 },
    audit: { unsealedSeconds: 600 },
    queues: { dueDeployments: 2, oldestDueSeconds: 300, openOrders: 0 },
    lateStarts: 2,
    lastBackup: undefined,
    databaseBytes: 1,
    quotas: [],
    erasures: { unfinished: 0, oldestSince: undefined },
    retention: undefined,
  };
  const local: LocalState = {
    version: '0.1.0',
    migrations: ['a'],
    bus: { carrier: 'nats', up: false },
    standby: { state: 'behind', lagSeconds: 9 },
    disk: { freeBytes: 10, sizeBytes: 100 },
  };
  const codes = problemsOf(stored, local).map(({ code }) => code);
  expect(codes[0]).toBe('deployments_late');
  expect(codes.slice(1).toSorted()).toEqual([
    'audit_unsealed',
    'bus_down',
    'disk_full',
    'logs_unmerged',
    'no_backup',
    'standby_unusable',
  ]);
  const full = problemsOf(stored, { ...local, disk: { freeBytes: 1, sizeBytes: 100 } });
  expect(full[0]).toMatchObject({ severity: 'critical', code: 'disk_full' });
});

test('cli admin status shows problems first, and exits with 1 for them on request', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const shown = await home.cli(['admin', 'status'], { columns: 120, env: { NO_COLOR: '1' } });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toMatch(/^warning {3}no backup was ever taken: [^\n]*\r?\n/m);
  expect(rowsOf(shown.stdout)).toEqual({
    VERSION: '0.1.0',
    SCHEMA: knownMigrations.at(-1),
    REPLICAS: expect.stringMatching(/^\w{6} ready, 0\.1\.0, 0 links$/),
    BUS: 'postgres, up',
    STANDBY: 'none',
    LOGS: expect.stringMatching(/^[\d.]+ KiB not merged, for 0s$/),
    AUDIT: expect.stringMatching(/^sealed up to \d+s ago$/),
    QUEUES: '0 due deployments, for 0s; 0 open orders',
    ERASURES: 'none unfinished',
    RETENTION: 'off, or has not run',
    'LAST BACKUP': 'never',
    DATABASE: expect.stringMatching(/^[\d.]+ MiB$/),
    DISK: expect.stringMatching(/^[\d.]+ [GT]iB free of [\d.]+ [GT]iB$/),
    QUOTAS: 'none near its limit',
  });
  expect((await home.cli(['admin', 'status', '--check'])).code).toBe(1);
});

test('cli admin status shows what waits, newer migrations and a bus that is down', async () => {
  const nats = `nats://127.0.0.1:${await freePort()}`; // nothing listens there
  await using world = await startIsolatedWorld({ env: { NATS_URL: nats } });
  await using home = await signedInHome(world);
  await world.db('migrations').insert({ name: '9999_later', batch: 99, migration_time: new Date() });
  await world.db('orgs').where({ id: world.orgId }).update({ name: 'Acme' });
  await factories(world).robot();
  await world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, { token: world.adminToken, body: { robots: 1 } });
  await backedUp(world, 2);
  const { stdout } = await home.cli(['admin', 'status'], { columns: 120, env: { NO_COLOR: '1' } });
  expect(rowsOf(stdout)).toMatchObject({
    SCHEMA: knownMigrations.at(-1),
    'NEWER MIGRATIONS': '9999_later',
    BUS: 'nats, down',
    'LAST BACKUP': '2d ago, 1000 B, by fleet@control-1',
    QUOTAS: 'Acme: 1 of 1 robots',
  });
});
