/**
 * Builds what runs: dist/server (main and the two database commands), dist/cli, and dist/agent.mjs. Plain JavaScript and esbuild alone, so that
 * `npm ci --omit=dev` can run it; tsc only checks.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { clientBuilds, makeClientRunnable, prepareClientFolder, shared } from './client-build.mjs';

await rm(new URL('../dist', import.meta.url), { recursive: true, force: true });
await prepareClientFolder();
await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/main.ts', 'src/db-export.ts', 'src/db-import.ts'],
    outdir: 'dist/server',
    // Dependencies of the server are loaded from node_modules: some read files beside themselves.
    packages: 'external',
  }),
  ...clientBuilds.map(build),
]);

/** The reference's assets. Redoc shows one picture from its makers' host; ours must work without any other host. */
async function buildReference() {
  await mkdir(new URL('../dist/docs/', import.meta.url), { recursive: true });
  const redoc = await readFile(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  const alone = redoc.replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"']*/g, 'data:,');
  await writeFile(new URL('../dist/docs/redoc.js', import.meta.url), alone);
  for (const name of ['page.js', 'page.css'])
    await copyFile(
      new URL(`../src/platform/http/reference/${name}`, import.meta.url),
      new URL(`../dist/docs/${name}`, import.meta.url),
    );
}

await buildReference();
await makeClientRunnable();
