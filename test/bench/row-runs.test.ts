import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { runRow, type RowJob } from './harness/row-runs.ts';

/** What the process of a row left for this test. */
interface Started {
  folder: string;
  child: number;
  group: number;
}

/** Runs a script as the process of a row. It writes what it started into a file, as its job's ID says, before it does `then`. */
async function run(folder: string, then: string, signal = new AbortController().signal) {
  const script = join(folder, 'row.cjs');
  await writeFile(
    script,
    `const { spawn } = require('node:child_process');
     const { writeFileSync, renameSync } = require('node:fs');
     process.once('message', (job) => {
       const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });
       const started = { folder: process.env.TMPDIR, child: child.pid, group: process.pid };
       writeFileSync(process.env.TMPDIR + '/left', 'something');
       writeFileSync(job.id + '.new', JSON.stringify(started));
       renameSync(job.id + '.new', job.id);
       ${then}
     });`,
  );
  const job: RowJob = { id: join(folder, 'started'), rounds: undefined, isQuick: false, processes: 3 };
  return runRow(script, job, signal);
}

const startedIn = async (folder: string) => JSON.parse(await readFile(join(folder, 'started'), 'utf8')) as Started;

/** Resolves when the process runs no more, whoever takes note of its end. */
const gone = (pid: number) =>
  until(async () => / Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ')));

test('the process of a row gives its lines, also those that JSON cannot write, and leaves nothing', async () => {
  await using folder = await tempDir();
  const then = `process.send({ lines: [{ measure: 's', ours: Infinity }] }, () => process.exit());`;
  expect(await run(folder.path, then)).toEqual({ lines: [{ measure: 's', ours: Infinity }] });
  const started = await startedIn(folder.path);
  await gone(started.child);
  expect(existsSync(started.folder)).toBe(false);
});

test('a process that fails says why, and one that crashes is named by how it ended', async () => {
  await using folder = await tempDir();
  expect(await run(folder.path, `process.send({ failure: 'no sshd' }, () => process.exit());`)).toEqual({
    failure: 'no sshd',
  });
  expect(await run(folder.path, 'process.exit(3);')).toEqual({ failure: 'its process ended with 3' });
  expect(await run(folder.path, "process.kill(process.pid, 'SIGKILL');")).toEqual({
    failure: 'its process ended with SIGKILL',
  });
  const started = await startedIn(folder.path);
  await gone(started.child);
  expect(existsSync(started.folder)).toBe(false);
});

test('an aborted row ends with all that it started, and its folder is deleted', async () => {
  await using folder = await tempDir();
  const ending = new AbortController();
  const answer = run(folder.path, '', ending.signal);
  await until(() => existsSync(join(folder.path, 'started')));
  ending.abort();
  expect(await answer).toEqual({ failure: 'its process ended with SIGTERM' });
  const started = await startedIn(folder.path);
  await Promise.all([started.child, started.group].map(gone));
  expect(existsSync(started.folder)).toBe(false);
});
