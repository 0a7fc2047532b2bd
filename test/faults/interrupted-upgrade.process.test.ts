import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { listApplied } from '../../src/platform/db/migrations/apply.ts';
import { knownMigrations } from '../../src/platform/db/migrations/index.ts';
import { freshDatabase } from '../host-command/fresh-database.ts';
import { startHome } from '../support/cli.ts';
import { orgOnServer } from '../support/org-on-server.ts';
import { buildPrevious, previousCommit } from '../support/previous-release.ts';
import { spawnServer, startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';

/** It alters a table with rows, and others precede it that the previous release does not know either. */
const held = '0075_left_log_streams';

/** Columns that nothing changes later. */
const columns = {
  orgs: ['id', 'name', 'status'],
  sites: ['id', 'name'],
  fleets: ['id', 'name', 'site_id'],
  enrollment_keys: ['id', 'fleet_id'],
  robots: ['id', 'name', 'fleet_id'],
  releases: ['id', 'tag', 'artifact_sha256'],
  log_streams: ['org_id', 'number', 'robot_id', 'fleet_id'],
  audit: ['org_id', 'operation', 'object_id'],
};

async function rowsOf(db: Knex): Promise<string[]> {
  const all = [];
  for (const [table, names] of Object.entries(columns))
    all.push(...(await db(table).select<object[]>(names)).map((row) => JSON.stringify({ table, ...row })));
  return all;
}

/** A database that the previous release made, its org with rows in it, and that release still running on it. */
async function onPrevious(program: string, env: Record<string, string>, db: Knex) {
  const org = await orgOnServer(env, [process.execPath, program]);
  const { id: siteId = '' } = await org.data('/api/sites', { name: 'Osaka' });
  const { id: fleetId = '' } = await org.data('/api/fleets', { site_id: siteId, name: 'AMRs' });
  const key = await org.data('/api/enrollment-keys', { site_id: siteId, fleet_id: fleetId });
  const enroll = async (name: string) => (await org.data('/agent/enroll', { name }, key['value']))['robot_id'] ?? '';
  const robots = [];
  for (const name of ['a', 'b', 'c']) robots.push(await enroll(name));
  await org.data('/api/releases', { tag: 'v1', artifact_sha256: '0'.repeat(64), artifact_size: 1 });
  const [orgId] = await db('orgs').where({ name: 'Acme' }).pluck<string[]>('id');
  await db('log_streams').insert(
    robots.map((id, number) => ({
      org_id: orgId,
      number,
      robot_id: id,
      fleet_id: number === 0 ? randomUUID() : fleetId, // the first has left that fleet
    })),
  );
  return { ...org, enroll };
}

testWith('git history')(
  'an upgrade that is killed in the middle of its migrations loses no row, the previous release works meanwhile, and the next start completes it',
  async ({ annotate }) => {
    const built = await buildPrevious();
    if (!built.endsWith(previousCommit)) {
      expect(built).not.toBe('');
      await annotate('this shallow clone has no previous release');
      return;
    }
    await using database = await freshDatabase();
    await using folder = await tempDir();
    await using home = await startHome();
    const { db } = database;
    const env = { DATABASE_URL: database.url, SERVICE_DATA_DIR: folder.path, SERVICE_ARTIFACTS_SHARED: '1' };
    const settings = { ...env, SERVICE_ADMIN_TOKEN: 'x'.repeat(32), RATE_LIMIT: 'off' };
    await using previous = await onPrevious(join(built, 'dist/server/main.js'), env, db);
    const before = await rowsOf(db);
    const schema = await listApplied(db);
    expect(schema.compatible).toEqual([]);
    expect(knownMigrations.indexOf(held)).toBeGreaterThan(schema.required.length);

    // As a long query does.
    const holder = await db.transaction();
    await holder.raw('set local idle_in_transaction_session_timeout = 0');
    await holder.raw('lock table log_streams in access share mode');
    const killed = spawnServer(settings);
    const waits = () =>
      db('pg_locks').whereRaw(
        `relation = 'log_streams'::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
    try {
      await until(async () => (await waits()).length > 0);
    } finally {
      killed.child.kill('SIGKILL');
      await killed.exited;
      await holder.rollback();
    }
    expect(killed.stdout()).not.toContain('"msg":"ready"');
    // All or nothing: those before it are not applied either.
    expect(await listApplied(db)).toEqual(schema);
    expect(await db.schema.hasColumn('sites', 'artifact_base_url')).toBe(false);
    await previous.enroll('d');
    expect((await previous.call('GET', '/api/robots')).status).toBe(200);

    await using next = await startServer(settings);
    expect(await listApplied(db)).toEqual({
      required: schema.required,
      compatible: knownMigrations.slice(schema.required.length),
    });
    expect(await rowsOf(db)).toEqual(expect.arrayContaining(before));
    expect(await db('log_streams').orderBy('number').pluck('left_at')).toEqual([expect.any(Date), null, null]);
    // The one that ran all the time, and the new one.
    await previous.data('/api/sites', { name: 'Kobe' });
    const seen = await fetch(`${next.url}/api/robots`, { headers: { Authorization: `Bearer ${previous.token}` } });
    const { items } = (await seen.json()) as { items: { name: string }[] };
    expect(items.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(
      await home.cli(['audit', 'verify', '--base-url', next.url], { env: { SERVICE_TOKEN: previous.token } }),
    ).toMatchObject({ code: 0 });
  },
);
