import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const passing = "test('passes', () => {});";

/** Runs a program; a code other than 0 is an answer here, not an error. */
async function run(folder: string, ci: string, ...args: string[]) {
  const env = { ...process.env, CI: ci };
  return promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    },
  );
}

/** Gives the folder with the report of Vitest on one file of tests. */
async function report(source: string, ci = 'true') {
  const folder = await mkdtemp(join(tmpdir(), 'totals-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'a.test.js'), `import { test } from 'vitest';\n${source}\n`);
  const json = ['--reporter=json', '--outputFile=report.json'];
  await run(folder, ci, join(repository, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...json);
  return folder;
}

/** What the script says about one file of tests, run under CI=true; first under CI=true, then without. */
async function totals(source: string) {
  const folder = await report(source);
  const read = async (ci: string) => {
    const { code, stdout, stderr } = await run(folder, ci, join(repository, '.ci/check-skips.mjs'), 'report.json');
    return { totals: { code, last: stdout.trimEnd().split('\n').at(-1) }, stderr };
  };
  const [ci, elsewhere] = [await read('true'), await read('false')];
  return { ci: ci.totals, elsewhere: elsewhere.totals, messages: ci.stderr };
}

test('the totals of a run in which all pass are its last line, and its code is 0', async () => {
  const { ci } = await totals(passing);
  expect(ci).toEqual({ code: 0, last: '1 passed, 0 failed' });
});

test('a failed test fails the run, which ends with the message of the test', async () => {
  const { ci, messages } = await totals(`${passing} test('fails', () => { throw new Error('no'); });`);
  expect(ci).toEqual({ code: 1, last: '1 passed, 1 failed' });
  expect(messages).toMatch(/^failed: \S+a\.test\.js: fails\n {2}Error: no\n {2} +at /);
});

test('a skipped test fails the run of CI and no other', async () => {
  // The skip stands in a file that only this test runs.
  const { ci, elsewhere } = await totals(`${passing} test.skip('is skipped', () => {});`);
  expect(ci).toEqual({ code: 1, last: '1 passed, 1 failed' });
  expect(elsewhere).toEqual({ code: 0, last: '1 passed, 0 failed' });
});

test('a test that needs a missing tool is skipped under a name that says which, and fails in CI', async () => {
  const source = `import { testWith } from '${repository}test/support/tools.ts';
    testWith('sh')('has its tool', () => {});
    testWith('sh', 'no-such-tool').each([7])('lacks a tool, case %i', () => { throw new Error('no'); });`;
  const outcomes = async (ci: string) => {
    const text = await readFile(join(await report(source, ci), 'report.json'), 'utf8');
    const { testResults } = JSON.parse(text) as {
      testResults: { assertionResults: { title: string; status: string }[] }[];
    };
    return testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title, status }) => [title, status]));
  };
  expect(await outcomes('')).toEqual([
    ['has its tool', 'passed'],
    ['lacks a tool, case 7 (needs no-such-tool)', 'skipped'],
  ]);
  expect(await outcomes('true')).toEqual([
    ['has its tool', 'passed'],
    ['lacks a tool, case 7', 'failed'],
  ]);
});

test('a file that cannot be loaded fails the run, and so does a file without a test', async () => {
  expect((await totals("throw new Error('at load');")).ci).toEqual({ code: 1, last: '0 passed, 1 failed' });
  expect((await totals('')).ci).toEqual({ code: 1, last: '0 passed, 1 failed' });
});

test('a run that left no report fails', async () => {
  const { code, stdout } = await run(tmpdir(), 'true', join(repository, '.ci/check-skips.mjs'), 'no-such-report.json');
  expect([code, stdout]).toEqual([1, '0 passed, 1 failed\n']);
});
