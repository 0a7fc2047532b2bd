import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const migrations = 'src/platform/db/migrations';

/** The script and the migrations as they are, in a folder of their own. */
async function copyOfMigrations() {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, '.ci'));
  await cp(join(repository, '.ci/new-migration.mjs'), join(folder, '.ci/new-migration.mjs'));
  await cp(join(repository, migrations), join(folder, migrations), { recursive: true });
  for (const known of ['src/platform/db/moves-guard.ts', 'generated/protocol.js']) {
    await mkdir(dirname(join(folder, known)), { recursive: true });
    await cp(join(repository, known), join(folder, known));
  }
  const add = (...names: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, '.ci/new-migration.mjs'), ...names]);
  return { folder: join(folder, migrations), add };
}

test('a new migration gets the next number and the last place in the registry', async () => {
  const { folder, add } = await copyOfMigrations();
  const before = (await readdir(folder)).length;
  const first = await add('add_site_address');
  await add('widen_names');

  const added = (await readdir(folder)).sort().filter((name) => /add_site_address|widen_names/.test(name));
  expect(added).toHaveLength(2);
  expect(await readdir(folder)).toHaveLength(before + 2);
  expect(first.stdout.trim()).toBe(`${migrations}/${String(added[0])}`);

  const { migrationSource } = (await import(pathToFileURL(join(folder, 'index.ts')).href)) as {
    migrationSource: { getMigrations(): Promise<[string, { up: unknown; down: unknown }][]> };
  };
  const list = await migrationSource.getMigrations();
  const names = list.map(([name]) => name);
  expect(names).toEqual([...names].sort());
  expect(names.slice(-2)).toEqual(added.map((name) => name.replace('.ts', '')));
  for (const [, migration] of list)
    expect([typeof migration.up, typeof migration.down]).toEqual(['function', 'function']);
});

test('a migration without a proper name is refused and changes nothing', async () => {
  const { folder, add } = await copyOfMigrations();
  const before = await readFile(join(folder, 'index.ts'), 'utf8');
  for (const name of ['', 'Add-Site', '../escape', '0002'])
    await expect(add(name)).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/snake_case/) as string });
  expect(await readFile(join(folder, 'index.ts'), 'utf8')).toBe(before);
});
