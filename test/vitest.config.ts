import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { contractCoverage } from './runner/contract-coverage.ts';
import { missingTools } from './runner/missing-tools.ts';
import { slowestTests } from './runner/slowest-tests.ts';

/**
 * Where tests keep their databases and files: in memory, where there is room. An isolated world has a database of its own, of some 500 files, which
 * takes 20 ms to make there and up to 400 ms on a disk.
 */
function folderOfTests(): string {
  const inMemory = '/dev/shm';
  const leastBytes = 6 * 2 ** 30;
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= leastBytes ? inMemory : tmpdir();
}

process.env['TMPDIR'] = folderOfTests();

/** What every project has. */
const common = {
  root: new URL('..', import.meta.url).pathname,
  setupFiles: ['test/runner/leaks.ts', 'test/runner/each-file.ts'],
  // Nothing is expected to take that long: a machine may be several times slower than another, and no test is about its speed.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A worker loads the product once, not once for each file: a fifth of the whole time. It starts the service that its tests share once, too.
  isolate: false,
  // What is waited for comes in milliseconds; on a machine where all tests run at once it may take seconds.
  expect: { requireAssertions: true, poll: { timeout: 45_000 } },
};

/** For .ci/run, which reads it: where the results go as JSON. */
const reportPath = process.env['TEST_REPORT'];
const report = reportPath === undefined ? [] : [['json', { outputFile: reportPath }] as ['json', object]];

/** The names of test files say what they need: `x.process.test.ts` is of the project `process`. CONTRIBUTING.md describes each. */
const named = ['clock', 'slow', 'isolated', 'process', 'browser', 'long'];
const filesOf = (name: string) => `test/**/*.${name}.test.{ts,tsx}`;

export default defineConfig({
  test: {
    globalSetup: ['test/runner/global-setup.ts'],
    reporters: ['default', missingTools, slowestTests, contractCoverage(), ...report],
    // Real servers and databases share two cores; one test more than that, as most of them wait now and then. More win little while
    // the cores are busy, and on a slow machine make what is waited for late.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'service',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...named.map(filesOf)],
        },
      },
      ...named.map((name) => ({ test: { ...common, name, include: [filesOf(name)] } })),
    ],
  },
});
