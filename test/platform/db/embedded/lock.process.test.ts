import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataFolder } from '../../../../src/platform/db/embedded/lock.ts';
import { tempFolder, until } from './support.ts';

/** Another process that wants the folder (`t`), or holds it (`h`), as it looks from outside. */
async function contender(
  dataDir: string,
  name: string,
  answer: 't' | 'h',
): Promise<AsyncDisposable & { asked: () => number }> {
  await mkdir(join(dataDir, 'lock'), { recursive: true });
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    socket.on('error', () => undefined).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(join(dataDir, 'lock', name), resolve));
  return { asked: () => asked, [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

test('of many that want a data folder at once exactly one gets it, and the next one after its release', async () => {
  await using folder = await tempFolder();
  for (let round = 0; round < 5; round += 1) {
    const wanted = await Promise.allSettled(Array.from({ length: 16 }, () => lockDataFolder(folder.path, folder.path)));
    const got = wanted.filter((one) => one.status === 'fulfilled');
    expect(got).toHaveLength(1);
    await got[0]?.value.release();
    expect(await readdir(join(folder.path, 'lock'))).toEqual([]);
  }
});

test('of two that try at the same time the lower ticket goes first', async () => {
  await using folder = await tempFolder();
  await using lower = await contender(folder.path, '4711-000000000000', 't');
  await expect(lockDataFolder(folder.path, folder.path)).rejects.toThrow('is in use by process 4711');
  expect(lower.asked()).toBe(1);
});

test('the higher ticket is waited for until it has withdrawn', async () => {
  await using folder = await tempFolder();
  const higher = await contender(folder.path, '4711-ffffffffffff', 't');
  const locked = lockDataFolder(folder.path, folder.path);
  await until(() => (higher.asked() > 2 ? true : undefined), 'the third question');
  await higher[Symbol.asyncDispose]();
  await (await locked).release();
  expect(await readdir(join(folder.path, 'lock'))).toEqual([]);
});

test('the higher ticket that got the folder keeps it', async () => {
  await using folder = await tempFolder();
  await using holder = await contender(folder.path, '4711-ffffffffffff', 'h');
  await expect(lockDataFolder(folder.path, folder.path)).rejects.toThrow('is in use by process 4711');
  expect(holder.asked()).toBe(1);
});

test('what a killed process leaves is removed', async () => {
  await using folder = await tempFolder();
  const path = join(folder.path, 'lock', '4711-000000000000');
  await mkdir(join(folder.path, 'lock'));
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script, `${path}.dying`]);
  await rename(`${path}.dying`, path);
  const { release } = await lockDataFolder(folder.path, folder.path);
  expect(await readdir(join(folder.path, 'lock'))).not.toContain('4711-000000000000');
  await release();
});
