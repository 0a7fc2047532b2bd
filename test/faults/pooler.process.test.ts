import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { advisoryLocks } from '../../src/platform/db/advisory-locks.ts';
import { connectForCopy } from '../../src/platform/db/copy/catalog.ts';
import { migrate, openDatabase } from '../../src/platform/db/index.ts';
import { whenReachable } from '../../src/platform/db/reachable.ts';
import { checkSession } from '../../src/platform/db/session-check.ts';
import { sessionSettings } from '../../src/platform/db/session.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { openShell, shellAgent } from '../support/dial-back.ts';
import { repository } from '../support/documents.ts';
import { logRobot } from '../support/log-robot.ts';
import { orderAgent } from '../support/order-agent.ts';
import { spawnServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { adminToken, orgAt, robotOf, startPoolerScene, type PoolerScene } from './pooler-scene.ts';

const test = testWith('pgbouncer', 'postgresql');
const digest = createHash('sha256').update('x').digest('hex');

test('a service behind a pooler with fewer connections than its own pool deploys, cancels, opens shells and keeps times', async () => {
  await using scene = await startPoolerScene({ 'default_pool_size = 20': 'default_pool_size = 3' });
  await using server = await scene.serve();
  const org = await orgAt(server);
  const robot = await robotOf(org);
  const release = { tag: 'v1', kind: 'file', artifact_sha256: digest, artifact_size: 1 };
  const { id: releaseId } = await org.create('/api/releases', release);
  const order = { release_id: releaseId, target_kind: 'robot', target_id: robot.id };
  const statusOf = async (id = '') => (await org.call('GET', `/api/deployments/${id}`)).data['status'];

  using agent = await orderAgent(server.url, robot.token);
  const kept = await org.create('/api/deployments', order);
  const { order_id } = await agent.order();
  for (const status of ['downloading', 'installing', 'verifying']) await agent.report({ order_id, status });
  expect(await agent.report({ order_id, status: 'applied', digest })).toBe(true);
  await expect.poll(() => statusOf(kept['id'])).toBe('applied');

  const other = await org.create('/api/deployments', order);
  const second = await agent.order();
  await org.call('POST', `/api/deployments/${other['id'] ?? ''}/cancel`);
  expect(await agent.order()).toMatchObject({ order_id: second.order_id, cancel: true });
  await agent.report({ order_id: second.order_id, status: 'cancelled' });
  await expect.poll(() => statusOf(other['id'])).toBe('cancelled');
  agent.socket.close();
  await agent.closed;

  using robotEnd = await shellAgent(server.url, robot.token);
  using shell = await openShell(server.url, robotEnd, robot.id, org.token);
  shell.robot.socket.send(Buffer.from('hello'));
  await expect.poll(() => shell.viewer.bytes().toString()).toBe('hello');
  robotEnd.socket.close();
  await robotEnd.closed;

  using logs = await logRobot(server.url, robot.token);
  const ts = '2026-11-21T09:00:05.000000Z';
  const beganMs = Date.now();
  await logs.say({ ts, message: 'at nine' });
  const [record] = (await org.call('GET', `/api/robots/${robot.id}/logs`)).items;
  expect(record).toMatchObject({ message: 'at nine', ts: expect.stringMatching(/^2026-11-21T09:00:05/) });
  const { created_at } = (await org.call('GET', `/api/robots/${robot.id}`)).data;
  expect(Math.abs(Date.parse(String(created_at)) - beganMs)).toBeLessThan(60_000);
});

test('sessions of a pooler have the settings of the service, and migrations and copies have no limits', async () => {
  await using scene = await startPoolerScene();
  await using server = await scene.serve();
  expect(server.stderr()).toBe('');
  const pooled = openDatabase(scene.pooler.url, { pooler: true });
  const { rows } = await pooled.raw<{ rows: object[] }>(
    `select current_setting('statement_timeout') as statements, current_setting('lock_timeout') as locks,
            current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone`,
  );
  await pooled.destroy();
  expect(rows).toEqual([{ statements: '10s', locks: '2s', idle: '15s', zone: 'UTC' }]);

  const copy = await connectForCopy(scene.direct);
  expect((await copy.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
  await copy.end();
  const db = openDatabase(scene.direct);
  const holder = await db.transaction();
  await holder.raw('select pg_advisory_xact_lock(?)', [advisoryLocks.migrations]);
  const migrating = migrate(db);
  await sleep(2_500); // more than the limit of a session for locks
  await holder.commit();
  await migrating;
  await db.destroy();
});

test('a backup and a restore use the direct address', async () => {
  await using scene = await startPoolerScene();
  await using folder = await tempDir();
  const exported = join(folder.path, 'backup');
  {
    await using server = await scene.serve();
    await orgAt(server);
  }
  const run = (command: string, env: Record<string, string>) =>
    promisify(execFile)(
      process.execPath,
      [join(repository, 'dist/server/fleet-control-service.js'), command, exported],
      {
        env: { DATABASE_URL: scene.pooler.url, SERVICE_DATA_DIR: folder.path, ...env },
      },
    );
  await expect(run('backup', {})).rejects.toMatchObject({
    stderr:
      'DATABASE_URL is the address of a pooler (unsupported startup parameter: options): set DATABASE_DIRECT_URL to the address of Postgres itself\n',
  });
  await run('backup', { DATABASE_DIRECT_URL: scene.direct });
  await scene.sql(`create database copied encoding 'UTF8' template template0`);
  const copied = scene.at('fleet', 'copied');
  await run('restore', { DATABASE_DIRECT_URL: copied });
  const db = openDatabase(copied);
  expect(await db('orgs').pluck('name')).toEqual(['Acme']);
  await db.destroy();
});

/** Output of a start that fails. */
async function refusal(env: Record<string, string>): Promise<string> {
  const server = spawnServer({ SERVICE_ADMIN_TOKEN: adminToken, ...env });
  expect((await server.exited)[0]).toBe(1);
  return server.stderr();
}

const ignoring = {
  'pool_mode = transaction':
    'pool_mode = transaction\nignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
};

test('a start through a pooler that it was not told of ends with a sentence that names DATABASE_DIRECT_URL', async () => {
  await using refusing = await startPoolerScene();
  expect(await refusal({ DATABASE_URL: refusing.pooler.url })).toBe(
    'DATABASE_URL is the address of a pooler (unsupported startup parameter: options): set DATABASE_DIRECT_URL to the address of Postgres itself\n',
  );
  expect(await refusal({ DATABASE_URL: refusing.pooler.url, DATABASE_DIRECT_URL: refusing.pooler.url })).toMatch(
    /^DATABASE_DIRECT_URL is the address of a pooler \(unsupported/,
  );
  await using dropping = await startPoolerScene(ignoring);
  expect(await refusal({ DATABASE_URL: dropping.pooler.url })).toBe(
    'sessions at DATABASE_URL are in the time zone Europe/Berlin and not in UTC, as a pooler drops what the service sets: set DATABASE_DIRECT_URL to the address of Postgres itself\n',
  );
});

test('a start refuses a pooler that connects as another role than the direct address', async () => {
  await using scene = await startPoolerScene();
  await scene.sql('create role migrator login superuser');
  const env = { DATABASE_URL: scene.pooler.url, DATABASE_DIRECT_URL: scene.at('migrator') };
  expect(await refusal(env)).toBe(
    'the pooler at DATABASE_URL connects to another database or as another role than DATABASE_DIRECT_URL: use the same database and role in both\n',
  );
});

/** Opens a connection of the pooler to Postgres before the role has its settings. */
async function occupy({ pooler, sql }: PoolerScene): Promise<void> {
  const db = openDatabase(pooler.url, { pooler: true });
  await expect(db.raw('select now()')).rejects.toThrow('the session is not in UTC');
  await db.destroy();
  for (const [name, value] of Object.entries(sessionSettings))
    await sql(`alter role fleet_owner in database fleet set ${name} = '${value}'`);
}

test('a start waits while connections of the pooler are older than the settings of their role, until a RECONNECT; no time is read wrongly meanwhile', async () => {
  await using scene = await startPoolerScene();
  await occupy(scene);
  const lines: string[] = [];
  const log = createLogger('info', [], (line) => void lines.push(line));
  const check = (waitMs: number) =>
    whenReachable(() => checkSession(scene.pooler.url, { pooler: true }), { log, waitMs, pauseMs: 50 });
  await expect(check(300)).rejects.toMatchObject({
    name: 'DatabaseError',
    message: expect.stringMatching(
      /^connections of the pooler at DATABASE_URL are older than the settings of their role \(TimeZone is Europe\/Berlin and not UTC, .*\): run RECONNECT in the console of PgBouncer$/,
    ),
  });
  const waiting = check(30_000);
  await expect.poll(() => lines.length).toBe(2);
  await scene.pooler.console('reconnect');
  await waiting;
});
