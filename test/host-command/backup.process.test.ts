import { hash, randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { writeBackup } from '../../src/host-command/backup.ts';
import { checkBackup, checkFiles } from '../../src/host-command/check.ts';
import { fillEmpty } from '../../src/host-command/restore.ts';
import type { Manifest } from '../../src/platform/db/copy/manifest.ts';
import { logPartitions } from '../../src/logs/partitions.ts';
import { createLogIngest, logUpkeep } from '../../src/logs/service.ts';
import { withSnapshot } from '../../src/platform/db/copy/snapshot.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { migrate, openDatabase, type Connection } from '../../src/platform/db/index.ts';
import { listApplied } from '../../src/platform/db/migrations/apply.ts';
import { migrationSource } from '../../src/platform/db/migrations/index.ts';
import { createLogger } from '../../src/platform/logging.ts';
import { factories } from '../support/factories.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { mergeSegments, records, sendTo, startIsolatedLogWorld } from '../logs/support.ts';
import { command } from './command.ts';
import { freshDatabase } from './fresh-database.ts';
import { silent, startHolder, tempFolder } from '../platform/db/embedded/support.ts';

const quiet = () => undefined;

/** No artifacts: the data folder does not exist. */
const config = { databaseUrl: undefined, databaseDirectUrl: undefined, dataDir: '/nonexistent', s3: undefined };

async function backUp(connection: Connection, folder: string, tell: (line: string) => void = quiet): Promise<Manifest> {
  await writeBackup(connection, folder, { config, withObjects: false, tell });
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

const restore = async (connection: Connection, folder: string) =>
  fillEmpty(connection, await checkFiles(folder), { config, tell: quiet });

/** Every kind of value and of table that a schema may have, and two tables that refer to each other. */
const oddTables = `
  create table things (
    id bigint generated always as identity primary key, "odd ""name" text, document jsonb, at timestamptz, bytes bytea, ratio double precision,
    doubled text generated always as (upper("odd ""name")) stored, parent_id bigint references things, first_of text);
  create table labels (label text primary key, thing_id bigint not null references things);
  alter table things add foreign key (first_of) references labels;
  create table days (day date not null, n integer not null) partition by range (day);`;

async function insertOdd(db: Knex): Promise<void> {
  await db.raw(`
    insert into things ("odd ""name", document, at, bytes, ratio, parent_id) values
      (E'tab\\t line\\n back\\\\slash \\\\N é 🤖', '{"a": [1, null, "\\\\u00e9"]}', '2026-11-21 09:00:00.123456+05:30', '\\x00ff5c0a', 0.1, 1),
      (null, 'null', 'infinity', '', 'NaN', 1), ('', '"text"', '0044-03-15 12:00:00+00 BC', null, 1e-300, 2);
    delete from things where id = 3;
    insert into labels values ('one', 1);
    update things set first_of = 'one' where id = 2;
    create table days_2026_11_21 partition of days for values from ('2026-11-21') to ('2026-11-22');
    insert into days values ('2026-11-21', 7), ('2026-11-21', 8)`);
}

const readOdd = async (db: Knex): Promise<unknown[]> =>
  Promise.all(
    ['things order by id', 'labels', 'days order by n'].map(
      async (from) =>
        (await db.raw<{ rows: unknown[] }>(`select row_to_json(t)::text from (select * from ${from}) t`)).rows,
    ),
  );

test('a backup brings every kind of value, table and number to another database', async () => {
  await using source = await freshDatabase();
  await using target = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  await source.db.raw(oddTables);
  await insertOdd(source.db);
  const orgs = await source.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' }).returning('*');

  const manifest = await backUp(source.connection, join(folder.path, 'backup'));
  expect(manifest.tables.find(({ name }) => name === 'things')?.rows).toBe(2);
  await target.db.raw(oddTables);
  await restore(target.connection, join(folder.path, 'backup'));

  expect(await readOdd(target.db)).toEqual(await readOdd(source.db));
  expect(await target.db('orgs').select()).toEqual(orgs);
  // The number of the deleted row is not given out again.
  expect(
    await target
      .db('things')
      .insert({ bytes: Buffer.of(1) })
      .returning('id'),
  ).toEqual([{ id: 4 }]);
  await expect(target.db('labels').insert({ label: 'two', thing_id: 99 })).rejects.toThrow('foreign key');
});

test('logs of several days come with their days, and go on in the other database', async () => {
  await using logs = await startIsolatedLogWorld();
  await using target = await freshDatabase();
  await using folder = await tempFolder();
  const link = await logs.robot();
  await logs.send(link, records(1, 2));
  await logs.spread(Date.now() - 2 * 86_400_000, 1);
  const source = logs.world;
  const reading = await source.db.transaction();
  await reading.raw('lock table log_segments in access share mode'); // so that the service drops no merged ones
  try {
    await logs.merge();
    await logs.send(link, records(3, 4)); // these are not merged
    await backUp(source.connection, join(folder.path, 'backup'));
    await restore(target.connection, join(folder.path, 'backup'));

    for (const table of ['log_chunks', 'log_segments']) {
      const everything = (db: Knex) => db(table).select(db.raw('tableoid::regclass::text as partition'), '*');
      expect(await everything(target.db)).toEqual(await everything(source.db));
      expect(await target.db(table)).toHaveLength(table === 'log_chunks' ? 1 : 2);
    }
  } finally {
    await reading.rollback();
  }
  const ingest = createLogIngest({ db: target.db, log: createLogger('silent', []), flushEveryMs: 1 });
  expect(await sendTo(ingest, link, records(3, 6))).toMatchObject({ kind: 'stored', seq: 6 });
  await ingest.close();
  await mergeSegments(target.db);
  expect(await target.db('log_counters').select('seq')).toEqual([{ seq: 6 }]);
  await logUpkeep(target.db, 1).run();
  expect(await target.db('log_chunks').min('first_seq as seq')).toEqual([{ seq: 3 }]);
});

test('partitions are made while a backup runs, so that logs are stored however long it takes', async () => {
  await using source = await freshDatabase();
  await migrate(source.db);
  const days = [1, 2].map((days) => Date.UTC(2020, 0, days));
  await withSnapshot(source.connection, () => logPartitions(source.db).make(days));
  expect((await logPartitions(source.db).list()).slice(0, 2)).toEqual(days);
});

test('a backup is of one moment, although the service goes on writing', async () => {
  await using source = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  const org = () => ({ id: randomUUID(), name: 'one', status: 'approved' });
  await source.db('orgs').insert(org());
  let inserted: Promise<unknown> | undefined;
  // Tables are written in the order of their names: this one is not read yet.
  const manifest = await backUp(source.connection, join(folder.path, 'backup'), () => {
    inserted ??= source.db('orgs').insert(org()).then();
  });
  await inserted;
  expect(manifest.tables.find(({ name }) => name === 'orgs')?.rows).toBe(1);
  expect(await source.db('orgs').select('id')).toHaveLength(2);
});

test('a backup that is broken off leaves nothing behind, and can be made again under the same name', async () => {
  await using source = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  await source.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' });
  const path = join(folder.path, 'backup');
  const given = join(folder.path, 'given');
  await mkdir(given);
  for (const target of [path, given]) {
    let ended: Promise<unknown> | undefined;
    const running = backUp(source.connection, target, () => {
      ended ??= source.db
        .raw(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name like '% copy'`,
        )
        .then();
    });
    await expect(running).rejects.toThrow(/^the backup was interrupted, and its files were removed from .*\.partial: /);
    await ended;
  }
  expect(await readdir(folder.path)).toEqual(['given']);
  expect(await readdir(given)).toEqual([]);
  await backUp(source.connection, path);
  await backUp(source.connection, given);
});

test('a backup from which a byte of the audit log was changed is refused by the check', async () => {
  await using world = await startIsolatedWorld();
  await using folder = await tempFolder();
  const { site } = factories(world);
  for (const name of ['Osaka', 'Separator \u2028 in it', 'Back\\slash "quoted"']) await site(name);
  await world.call('GET', '/api/audit'); // seals all entries
  const path = join(folder.path, 'backup');
  const { tables } = await backUp(world.connection, path);
  const { rows = 0 } = tables.find(({ name }) => name === 'audit') ?? {};
  expect(rows).toBeGreaterThan(3);
  expect(await checkBackup(path)).toContain(`audit chain verified: ${rows} entries of 1 orgs`);

  // Changed with its digest: only the chain shows it.
  await rewriteTable(path, 'audit', (text) => text.replace('Osaka', 'Kyoto'));
  await expect(checkBackup(path)).rejects.toThrow(
    /the audit log of org .* is broken: entry \d+ does not match its hash/,
  );
  await rewriteTable(path, 'audit', (text) => text.replace(/.*Kyoto.*\n/, ''));
  await expect(checkBackup(path)).rejects.toThrow(/is broken: after entry \d+ follows \d+/);
});

/** Changes the rows of a table in a backup, and what its manifest says of the file. */
async function rewriteTable(folder: string, table: string, change: (text: string) => string): Promise<void> {
  const file = join(folder, `${table}.copy.gz`);
  const text = gunzipSync(await readFile(file)).toString();
  const changed = gzipSync(change(text));
  expect(change(text)).not.toBe(text);
  await writeFile(file, changed);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  const tables = manifest.tables.map((each) =>
    each.name === table ? { ...each, sha256: hash('sha256', changed) } : each,
  );
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, tables }));
}

test('a backup of an earlier schema is migrated when it is restored', async () => {
  await using source = await freshDatabase();
  await using target = await freshDatabase();
  await using folder = await tempFolder();
  const all = await migrationSource.getMigrations([]);
  const earlier = { ...migrationSource, getMigrations: async () => all.slice(0, -20) };
  await source.db.migrate.latest({ tableName: 'migrations', migrationSource: earlier });
  await source.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' });
  const { migrations } = await backUp(source.connection, join(folder.path, 'backup'));
  expect(migrations).toHaveLength(all.length - 20);
  await restore(target.connection, join(folder.path, 'backup'));
  const { required, compatible } = await listApplied(target.db);
  expect([...required, ...compatible]).toHaveLength(all.length);
  expect(await target.db('orgs').select('name')).toEqual([{ name: 'one' }]);
});

test('a database with rows is not restored into, and stays as it is', async () => {
  await using source = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  await source.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' });
  await backUp(source.connection, join(folder.path, 'backup'));
  const again = restore(source.connection, join(folder.path, 'backup'));
  await expect(again).rejects.toThrow('the database is not empty (there are rows in backups): restore into a new one');
  expect(await source.db('orgs').select('name')).toEqual([{ name: 'one' }]);
});

test('the list of backups keeps the newest 20, and none from while the clock of the database was wrong', async () => {
  await using source = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  await source.db.raw(
    `insert into backups (id, taken_at, bytes, taken_by)
     select gen_random_uuid(), case when n > 20 then '2100-01-01' else now() - n * interval '1 day' end, n, '' from generate_series(1, 40) n`,
  );
  await backUp(source.connection, join(folder.path, 'backup'));
  expect(await source.db('backups').where({ taken_by: '' }).orderBy('bytes').pluck('bytes')).toEqual(
    Array.from({ length: 19 }, (_, index) => index + 1),
  );
});

test('a backup that is damaged, unfinished or newer is refused before anything is written', async () => {
  await using source = await freshDatabase();
  await using folder = await tempFolder();
  await migrate(source.db);
  const path = join(folder.path, 'backup');
  await backUp(source.connection, path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  for (const file of await readdir(path)) expect((await stat(join(path, file))).mode & 0o777).toBe(0o600);

  await expect(backUp(source.connection, path)).rejects.toThrow('exists and is not an empty folder');
  await expect(checkFiles(folder.path)).rejects.toThrow('has no complete backup');
  const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as Manifest;
  const rewrite = (change: Partial<Record<keyof Manifest, unknown>>) =>
    writeFile(join(path, 'manifest.json'), JSON.stringify({ ...manifest, ...change }));
  await rewrite({ migrations: [...manifest.migrations, '9999_later'] });
  await expect(checkFiles(path)).rejects.toThrow('was written by a newer release (it has 9999_later)');
  await rewrite({ format: 3 });
  await expect(checkFiles(path)).rejects.toThrow('a format that this release does not know');
  await rewrite({});
  await appendFile(join(path, 'orgs.copy.gz'), 'x');
  await expect(checkFiles(path)).rejects.toThrow('orgs.copy.gz is missing or damaged');
});

// Five processes and two new databases: seconds on a quiet machine, and far more beside other tests.
test('the two commands carry an embedded database into a fresh data folder', { timeout: 120_000 }, async () => {
  await using folder = await tempFolder();
  const from = join(folder.path, 'from');
  const to = join(folder.path, 'to');
  const path = join(folder.path, 'backup');
  const old = await startEmbeddedPostgres({ dataDir: from, log: silent });
  const oldDb = openDatabase(old.connection);
  await migrate(oldDb);
  const orgs = await oldDb('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' }).returning('*');
  const builtIn = await Promise.all(['condition_rules', 'log_redactions'].map((table) => oldDb(table).select('id')));
  await oldDb.destroy();
  await old.stop();

  expect(await command(from, 'backup', path)).toMatchObject({ exitCode: 0, stdout: `${path}\n` });
  expect(await command(to, 'restore', path)).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: expect.stringContaining(
      `restored ${1 + builtIn.flat().length} rows and 0 artifacts and log objects; start the service`,
    ) as string,
  });
  const refused = await command(to, 'restore', path);
  expect(refused).toMatchObject({
    exitCode: 1,
    stderr: 'the database is not empty (there are rows in condition_rules): restore into a new one\n',
  });

  await using holder = startHolder(to);
  const { connection, firstStart } = await holder.hear(({ ready }) => ready);
  expect(firstStart).toBe(false);
  const db = openDatabase(connection);
  expect(await db('orgs').select()).toEqual(orgs);
  await db.destroy();
});

test('a restore that fails leaves no database behind', async () => {
  await using folder = await tempFolder();
  await using source = await freshDatabase();
  const path = join(folder.path, 'backup');
  const to = join(folder.path, 'to');
  await migrate(source.db);
  await source.db.raw('create table strange (n integer)');
  await backUp(source.connection, path);
  const failed = await command(to, 'restore', path);
  expect(failed).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('the backup holds strange, which is not part of the service') as string,
  });
  expect(await readdir(to)).toEqual(['lock']);
  expect(await command(to, 'backup')).toMatchObject({ exitCode: 1, stderr: `there is no database in ${to}\n` });
});
