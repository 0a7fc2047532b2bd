/**
 * Bundles the bench like the product and runs it. A loader of TypeScript would keep the name of every function, which makes
 * each closure expensive: rows that run product code in their own process would measure that.
 */
import { build } from 'esbuild';
import { shared } from './client-build.mjs';

await build({
  ...shared,
  entryPoints: ['test/bench/main.ts', 'test/bench/row-process.ts'],
  outdir: 'dist/bench',
  packages: 'external',
});
await import('../dist/bench/main.js');
