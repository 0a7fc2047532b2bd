import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openForBackup, startEmbeddedPostgres } from '../../../../src/platform/db/embedded/index.ts';
import { lockDataFolder } from '../../../../src/platform/db/embedded/lock.ts';
import { openDatabase, type Connection } from '../../../../src/platform/db/index.ts';
import { isRunning } from '../../../support/processes.ts';
import { linkBehind, listProcesses, silent, startHolder, tempFolder, until } from './support.ts';
import { promptMs } from '../../../support/until.ts';

/** A cluster at rest that the tests copy, as making one takes a second. */
let made: Awaited<ReturnType<typeof tempFolder>>;
beforeAll(async () => {
  made = await tempFolder();
  const postgres = await startEmbeddedPostgres({ dataDir: join(made.path, 'data'), log: silent });
  await postgres.stop();
});
afterAll(() => made[Symbol.asyncDispose]());

const clusterName = async () => (await readdir(join(made.path, 'data'))).find((name) => name.startsWith('pg')) ?? '';

async function copyOfMade() {
  const folder = await tempFolder();
  const dataDir = join(folder.path, 'data');
  await mkdir(dataDir, { mode: 0o711 });
  await cp(join(made.path, 'data', await clusterName()), join(dataDir, await clusterName()), { recursive: true });
  return {
    dataDir,
    clusterDir: join(dataDir, await clusterName()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

async function query<T>(connection: Connection, sql: string): Promise<T[]> {
  const db = openDatabase(connection);
  try {
    return (await db.raw<{ rows: T[] }>(sql)).rows;
  } finally {
    await db.destroy();
  }
}

test('the first start makes a database that keeps what was written, the second finds it', async () => {
  await using folder = await tempFolder();
  const dataDir = join(folder.path, 'new', 'data');
  const first = await startEmbeddedPostgres({ dataDir, log: silent });
  expect(first.firstStart).toBe(true);
  await query(first.connection, `create table words (word text); insert into words values ('kept')`);
  await first.stop();
  expect(listProcesses(dataDir)).toEqual([]);

  const second = await startEmbeddedPostgres({ dataDir, log: silent });
  expect(second.firstStart).toBe(false);
  expect(second.connection).toEqual(first.connection);
  expect(await query(second.connection, 'select word from words')).toEqual([{ word: 'kept' }]);
  const durable = await query(
    second.connection,
    `select name from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting = 'on'`,
  );
  expect(durable).toHaveLength(3);
  await second.stop();
});

test('the password is random, is asked for, and nobody else can read it or reach the socket', async () => {
  await using copy = await copyOfMade();
  const { connection, stop } = await startEmbeddedPostgres({ dataDir: copy.dataDir, log: silent });
  expect(connection.password).toMatch(/^[\w-]{43}$/);
  expect((await stat(join(copy.clusterDir, 'service-password'))).mode & 0o777).toBe(0o600);
  expect((await stat(copy.clusterDir)).mode & 0o777).toBe(0o700);
  await expect(query({ ...connection, password: 'wrong' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  );
  expect(await query(connection, `select current_setting('listen_addresses') as tcp`)).toEqual([{ tcp: '' }]);
  await stop();
});

test('a second server on the same data folder is refused at once, with the folder and the process in one sentence', async () => {
  await using copy = await copyOfMade();
  await using holder = startHolder(copy.dataDir);
  await holder.hear(({ ready }) => ready);
  const startedMs = performance.now();
  const second = startEmbeddedPostgres({ dataDir: copy.dataDir, log: silent });
  await expect(second).rejects.toThrow(`the data folder ${copy.dataDir} is in use by process ${holder.child.pid}: `);
  expect(performance.now() - startedMs).toBeLessThan(promptMs);
});

test('a command beside a server that is starting or stopping is refused in one sentence', async () => {
  await using copy = await copyOfMade();
  const lock = await lockDataFolder(copy.dataDir, copy.dataDir); // held, and Postgres does not run
  await expect(openForBackup({ dataDir: copy.dataDir, log: silent })).rejects.toThrow(
    `the database in ${copy.dataDir} is starting or stopping: try again`,
  );
  await lock.release();
});

test('of many that start at the same instant exactly one gets the data folder', async () => {
  await using copy = await copyOfMade();
  const starts = await Promise.allSettled(
    Array.from({ length: 12 }, () => startEmbeddedPostgres({ dataDir: copy.dataDir, log: silent })),
  );
  const started = starts.filter((start) => start.status === 'fulfilled');
  for (const { value } of started) await value.stop();
  expect(started).toHaveLength(1);
  const reasons = starts.filter((start) => start.status === 'rejected').map(({ reason }) => (reason as Error).message);
  expect(reasons.filter((reason) => !reason.includes('is in use by process'))).toEqual([]);
});

test('kill -9 of the service leaves no Postgres process, and the next start has every acknowledged row', async () => {
  await using copy = await copyOfMade();
  await using holder = startHolder(copy.dataDir, { task: 'insert' });
  await holder.hear(({ acknowledged }) => (acknowledged === 50 ? true : undefined));
  const processes = listProcesses(copy.dataDir);
  expect(processes.length).toBeGreaterThan(3);
  await holder.kill();

  const { connection, stop } = await startEmbeddedPostgres({ dataDir: copy.dataDir, log: silent });
  const last = Math.max(...holder.said.map(({ acknowledged }) => acknowledged ?? 0));
  const [row] = await query<{ n: number }>(connection, `select count(*) as n from numbers where n <= ${last}`);
  expect(row?.n).toBe(last);
  expect(processes.filter(({ pid }) => isRunning(pid))).toEqual([]);
  await stop();
});

test('Postgres that dies by itself is started again', async () => {
  await using copy = await copyOfMade();
  await using holder = startHolder(copy.dataDir);
  const { connection } = await holder.hear(({ ready }) => ready);
  const pid = Number.parseInt(await readFile(join(copy.clusterDir, 'postmaster.pid'), 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  await holder.hear(({ message }) => (message === 'Postgres is running again' ? true : undefined));
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the remains of a machine that lost its power do not stand in the way', async () => {
  await using copy = await copyOfMade();
  // A process that ended: its number is free.
  const gone = startHolder(join(copy.dataDir, 'never'));
  await gone.kill();
  await writeFile(join(copy.clusterDir, 'postmaster.pid'), `${gone.child.pid}\n${copy.clusterDir}\n1\n5432\n.\n\n`, {
    mode: 0o600,
  });
  const { firstStart, stop } = await startEmbeddedPostgres({ dataDir: copy.dataDir, log: silent });
  expect(firstStart).toBe(false);
  await stop();
});

test('a Postgres that nobody supervises is waited for, not killed', async () => {
  await using copy = await copyOfMade();
  await using holder = startHolder(copy.dataDir);
  await holder.hear(({ ready }) => ready);
  const pid = Number.parseInt(await readFile(join(copy.clusterDir, 'postmaster.pid'), 'utf8'), 10);
  const shell = listProcesses(copy.dataDir).find(({ parent }) => parent === holder.child.pid);
  const watchdog = listProcesses(copy.dataDir).find((one) => one.parent === shell?.pid && one.args === shell.args);
  process.kill(watchdog?.pid ?? Number.NaN, 'SIGKILL');
  await holder.kill();

  const told: string[] = [];
  const start = startEmbeddedPostgres({
    dataDir: copy.dataDir,
    log: { ...silent, warn: (_fields, message) => told.push(message) },
  });
  await until(() => told[0], 'the word that another Postgres runs');
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, 'SIGINT');
  await (await start).stop();
});

test('a database that was only half made is made anew', async () => {
  await using folder = await tempFolder();
  const name = await clusterName();
  const half = join(folder.path, `${name}.init`, 'cluster');
  await mkdir(half, { recursive: true });
  await writeFile(join(half, 'PG_VERSION'), '18\n');
  const { firstStart, stop } = await startEmbeddedPostgres({ dataDir: folder.path, log: silent });
  expect(firstStart).toBe(true);
  expect((await readdir(folder.path)).sort()).toEqual(['lock', name]);
  await stop();
});

test('a folder with other files in the place of the database is left alone', async () => {
  await using folder = await tempFolder();
  const place = join(folder.path, await clusterName());
  await mkdir(place);
  await writeFile(join(place, 'notes'), 'mine');
  await expect(startEmbeddedPostgres({ dataDir: folder.path, log: silent })).rejects.toThrow(
    `${place} is not empty and is not a Postgres database`,
  );
  expect(await readFile(join(place, 'notes'), 'utf8')).toBe('mine');
});

test.each(['15', '99'])(
  'the database of Postgres %s is refused with the commands that carry it over',
  async (major) => {
    await using folder = await tempFolder();
    await mkdir(join(folder.path, `pg${major}`));
    await writeFile(join(folder.path, `pg${major}`, 'PG_VERSION'), `${major}\n`);
    const start = startEmbeddedPostgres({ dataDir: folder.path, log: silent });
    await expect(start).rejects.toThrow(
      new RegExp(`pg${major} is a Postgres ${major} database .*npm run db:export.*npm run db:import`),
    );
  },
);

test('a data folder with a very long path works: socket addresses are short', async () => {
  await using folder = await tempFolder();
  const dataDir = join(folder.path, 'x'.repeat(120), 'y'.repeat(120));
  const { connection, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
  await using link = linkBehind(connection.host);
  expect(Buffer.byteLength(link.path)).toBeLessThan(50);
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
  await stop();
});

test('a data folder that cannot be made says so in one sentence', async () => {
  await using folder = await tempFolder();
  await writeFile(join(folder.path, 'file'), '');
  await expect(startEmbeddedPostgres({ dataDir: join(folder.path, 'file', 'data'), log: silent })).rejects.toThrow(
    /^the data folder \S+ cannot be used: \S+\/file is not a folder, or is below a file \(EEXIST\); set SERVICE_DATA_DIR/,
  );
  const link = join(folder.path, 'link');
  await symlink(join(folder.path, 'nowhere'), link);
  await expect(startEmbeddedPostgres({ dataDir: link, log: silent })).rejects.toThrow(
    'is a symbolic link to a missing target (',
  );
  const loop = join(folder.path, 'loop');
  await symlink(loop, loop);
  await expect(startEmbeddedPostgres({ dataDir: loop, log: silent })).rejects.toThrow(
    'is a symbolic link to itself (ELOOP)',
  );
});
