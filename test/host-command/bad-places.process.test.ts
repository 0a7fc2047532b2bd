import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { migrate, openDatabase } from '../../src/platform/db/index.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { asOthers, commandWith, startCommand } from './command.ts';
import { freshDatabase, urlOf, type FreshDatabase } from './fresh-database.ts';

/** A database with one org, and a backup of it in the folder. */
async function backedUp(folder: string): Promise<FreshDatabase & { backup: string }> {
  const made = await freshDatabase();
  await migrate(made.db);
  await made.db('orgs').insert({ id: randomUUID(), name: 'one', status: 'approved' });
  const backup = join(folder, 'backup');
  expect(await commandWith({ DATABASE_URL: made.url }, 'backup', backup)).toMatchObject({ exitCode: 0 });
  return { ...made, backup };
}

/** Without the rows that the command reports, of which there may be some before an error. */
const sentences = (stderr: string) =>
  stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !/: \d+ rows$/.test(line));

testWith('mount')('a full disk is named in a sentence, and leaves no half backup or database', async () => {
  await using folder = await tempDir();
  await using source = await backedUp(folder.path);
  using disk = smallDisk(64 * 1024, '711');
  const taken = await commandWith({ DATABASE_URL: source.url }, 'backup', join(disk.path, 'backup'));
  expect(taken).toMatchObject({ exitCode: 1, stdout: '' });
  expect(sentences(taken.stderr)).toEqual([
    expect.stringMatching(/^the backup was interrupted, and its files were removed from .*\.partial: ENOSPC: no space/),
  ]);
  expect(await readdir(disk.path)).toEqual([]);
  const data = join(disk.path, 'data');
  for (const line of [['restore', source.backup], ['start']]) {
    const { exitCode, stderr } = await commandWith({ SERVICE_DATA_DIR: data, PORT: '0' }, ...line);
    expect(exitCode).toBe(1);
    expect(sentences(stderr)).toEqual([expect.stringMatching(/^initdb could not create .*No space left on device$/)]);
    expect((await readdir(data)).filter((name) => /^pg\d+(\.import)?$/.test(name))).toEqual([]);
  }
  expect(await source.db('orgs').select('name')).toEqual([{ name: 'one' }]);
});

testWith('root')('a missing permission is named in a sentence', async () => {
  await using folder = await tempDir();
  await using source = await backedUp(folder.path);
  const locked = join(folder.path, 'locked');
  await mkdir(locked, { mode: 0o500 });
  await chmod(join(source.backup, 'manifest.json'), 0);
  const there = join(locked, 'there');
  for (const [line, env, sentence] of [
    [['backup', there], { DATABASE_URL: source.url }, /there cannot be created \(EACCES\)$/],
    [['check', source.backup], {}, /manifest\.json cannot be read \(EACCES\): use an account that may read it$/],
    [['restore', source.backup], {}, /manifest\.json cannot be read \(EACCES\): use an account that may read it$/],
    [['start'], { SERVICE_DATA_DIR: there, PORT: '0' }, /^the data folder .* is not accessible to the account/],
  ] as const) {
    const { exitCode, stderr } = await startCommand(env, line, asOthers).ended;
    expect(exitCode).toBe(1);
    expect(sentences(stderr)).toEqual([expect.stringMatching(sentence)]);
  }
  expect(await readdir(locked)).toEqual([]);
});

/** The server of the tests, as if it were Postgres 14. */
async function oldPostgres(): Promise<{ port: number } & AsyncDisposable> {
  const { host, port } = inject('postgres');
  const version = openDatabase(inject('postgres'));
  const { rows } = await version.raw<{ rows: [{ server_version_num: string }] }>('show server_version_num');
  await version.destroy();
  const server = createServer((client) => {
    const database = connect(join(host, `.s.PGSQL.${port}`));
    const end = () => [client, database].forEach((socket) => socket.destroy());
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
    client.pipe(database);
    database.on('data', (bytes) =>
      client.write(Buffer.from(bytes.toString('latin1').replaceAll(rows[0].server_version_num, '140009'), 'latin1')),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

test('a Postgres that is too old, and one that refuses the account, are named in a sentence', async () => {
  await using folder = await tempDir();
  await using source = await backedUp(folder.path);
  await using target = await freshDatabase();
  await using old = await oldPostgres();
  const tooOld = new URL(target.url.replace(/@[^/]*/, `@127.0.0.1:${old.port}`)).href;
  const wrong = urlOf(target.connection.database, { password: 'wrong' });
  const nowhere = urlOf('no_such_database');
  const lines = { start: ['start'], restore: ['restore', source.backup], backup: ['backup', join(folder.path, 'b')] };
  for (const [name, url, sentence] of [
    ['start', tooOld, /^the database is Postgres 14; the service needs 15 or newer$/],
    ['restore', tooOld, /^the database is Postgres 14; the service needs 15 or newer$/],
    ['start', wrong, /^the database at DATABASE_URL refuses us: password authentication failed for user "\w+"$/],
    ['restore', wrong, /^the database refuses us: password authentication failed for user "\w+"$/],
    ['backup', wrong, /^the database refuses us: password authentication failed for user "\w+"$/],
    ['start', nowhere, /refuses us: database "no_such_database" does not exist$/],
    ['backup', nowhere, /^the database refuses us: database "no_such_database" does not exist$/],
    ['backup', target.url, /^the database was never used by the service: there is nothing to back up$/],
  ] as const) {
    const env = { DATABASE_URL: url, SERVICE_DATA_DIR: folder.path, PORT: '0' };
    const { exitCode, stderr } = await commandWith(env, ...lines[name]);
    expect([name, exitCode, sentences(stderr)]).toEqual([name, 1, [expect.stringMatching(sentence)]]);
  }
  expect(await target.db.schema.hasTable('migrations')).toBe(false);
  expect(await readdir(folder.path)).toEqual(['backup']);
});

test('a role that may not create tables is named in a sentence', async () => {
  await using folder = await tempDir();
  await using source = await backedUp(folder.path);
  await using target = await freshDatabase();
  const role = `poor_${randomUUID().slice(0, 8)}`;
  await target.db.raw(`create role ${role} login password '${role}'`);
  try {
    const env = {
      DATABASE_URL: urlOf(target.connection.database, { user: role, password: role }),
      SERVICE_DATA_DIR: folder.path,
      PORT: '0',
    };
    const started = await commandWith(env, 'start');
    expect([started.exitCode, sentences(started.stderr)]).toEqual([
      ...[1, ['the database at DATABASE_URL cannot be prepared: permission denied for schema public']],
    ]);
    const restored = await commandWith(env, 'restore', source.backup);
    expect([restored.exitCode, sentences(restored.stderr)]).toEqual([1, ['permission denied for schema public']]);
  } finally {
    await target.db.raw('drop role ??', [role]);
  }
});
