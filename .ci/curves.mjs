/** Bundles the curves as `bench.mjs` does the bench, and measures them. */
import { build } from 'esbuild';
import { shared } from './client-build.mjs';

await build({
  ...shared,
  entryPoints: ['test/bench/curves/main.ts', 'test/bench/curves/curve-process.ts'],
  outdir: 'dist/bench/curves',
  packages: 'external',
});
await import('../dist/bench/curves/main.js');
