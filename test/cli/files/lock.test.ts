import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdLock, LockFileError, LockHeldError } from '../../../cli/files/lock.ts';
import { tempDir } from '../../support/temp-dir.ts';

const module = new URL('../../../cli/files/lock.ts', import.meta.url).href;

/** Processes that try for the lock when a line comes on their stdin, say `held` or the holder's pid, and keep it until they are killed. */
async function contenders(directory: string, count: number) {
  const script = join(directory, 'contender.mts');
  await writeFile(
    script,
    `const { holdLock } = await import(${JSON.stringify(module)});
process.stdout.write('ready\\n');
process.stdin.once('data', () => holdLock(process.argv[2]).then(
  () => process.stdout.write('held\\n'),
  (error) => { process.stdout.write((error.pid ?? error.message) + '\\n'); process.exit(); },
));`,
  );
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--import', 'tsx', script, join(directory, 'agent.lock')], {
      cwd: new URL('../../..', import.meta.url),
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(children.map((child) => line(child)));
  return {
    children,
    async race() {
      const answers = children.map((child) => line(child));
      for (const child of children) child.stdin.write('\n');
      return Promise.all(answers);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(killed));
    },
  };
}

const line = (child: ChildProcess) =>
  new Promise<string>((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())));

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}

test('of many at once one holds the lock, and the others hear whose it is', async () => {
  await using directory = await tempDir();
  await using all = await contenders(directory.path, 6);
  // Left behind by a dead process: all of them find it and want to take it over.
  await writeFile(join(directory.path, 'agent.lock'), '2147483646\n\n');
  const answers = await all.race();
  const winner = all.children[answers.indexOf('held')];
  expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
  expect(new Set(answers)).toEqual(new Set(['held', String(winner?.pid)]));
  expect((await readdir(directory.path)).sort()).toEqual(['agent.lock', 'contender.mts']);
});

test('the lock of a process that was killed is free at once', async () => {
  await using directory = await tempDir();
  const path = join(directory.path, 'agent.lock');
  await using one = await contenders(directory.path, 1);
  expect(await one.race()).toEqual(['held']);
  await expect(holdLock(path)).rejects.toThrow(`${path} is held by process ${one.children[0]?.pid ?? 0}`);
  await Promise.all(one.children.map(killed));
  using mine = await holdLock(path);
  expect(mine).toBeDefined();
  expect(await readFile(path, 'utf8')).toMatch(new RegExp(`^${process.pid}\n`));
});

test('a process that got the pid of a dead holder does not hold its lock', async () => {
  await using directory = await tempDir();
  const path = join(directory.path, 'agent.lock');
  {
    using mine = await holdLock(path);
    expect(mine).toBeDefined();
    await expect(holdLock(path)).rejects.toThrow(LockHeldError);
  }
  expect(await readdir(directory.path)).toEqual([]);
  // This very pid, alive, but started at another time, or in another boot.
  for (const started of ['other-boot 1', '']) {
    await writeFile(path, `${process.pid}\n${started}\n`);
    if (started === '') await expect(holdLock(path)).rejects.toThrow(LockHeldError);
    else (await holdLock(path))[Symbol.dispose]();
  }
});

test('a lock file that a power cut emptied holds nobody up, nor does a takeover that was cut off', async () => {
  await using directory = await tempDir();
  const path = join(directory.path, 'deeper', 'agent.lock');
  await mkdir(join(directory.path, 'deeper'));
  await writeFile(path, '');
  await writeFile(`${path}.takeover`, '2147483646\n\n');
  {
    using mine = await holdLock(path);
    expect(mine).toBeDefined();
  }
  expect(await readdir(join(directory.path, 'deeper'))).toEqual([]);
});

test('a release leaves the lock of somebody who was let in by hand', async () => {
  await using directory = await tempDir();
  const path = join(directory.path, 'agent.lock');
  const mine = await holdLock(path);
  await writeFile(path, '1\n\n');
  mine[Symbol.dispose]();
  expect(await readFile(path, 'utf8')).toBe('1\n\n');
});

test('where no lock can be made the reason is told', async () => {
  await using directory = await tempDir();
  await writeFile(join(directory.path, 'file'), '');
  const lock = holdLock(join(directory.path, 'file', 'agent.lock'));
  await expect(lock).rejects.toThrow(LockFileError);
  await expect(lock).rejects.toThrow(/cannot make .*agent\.lock: ENOTDIR|cannot make .*agent\.lock: EEXIST/);
});
