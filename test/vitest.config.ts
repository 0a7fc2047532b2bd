import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/leaks.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Real servers and databases share two cores.
    maxWorkers: 2,
    expect: { requireAssertions: true },
  },
});
