import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Minutes long; `npm run test:long` runs them.
    exclude: process.env['FAULT_ROUNDS'] === undefined ? ['test/**/*.long.test.ts'] : [],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leaks.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Real servers and databases share two cores; one test more than that, as most of them wait now and then.
    maxWorkers: 3,
    // What is waited for comes in milliseconds; on a machine where all tests run at once it may take seconds.
    expect: { requireAssertions: true, poll: { timeout: 15_000 } },
  },
});
