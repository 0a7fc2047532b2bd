/**
 * Builds what runs: dist/server (main and the two database commands) and dist/cli. Plain JavaScript and esbuild alone, so that
 * `npm ci --omit=dev` can run it; tsc only checks.
 */
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
};

await rm(new URL('../dist', import.meta.url), { recursive: true, force: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/main.ts', 'src/db-export.ts', 'src/db-import.ts'],
    outdir: 'dist/server',
    // Dependencies of the server are loaded from node_modules: some read files beside themselves.
    packages: 'external',
  }),
  build({
    ...shared,
    entryPoints: ['cli/main.ts'],
    outdir: 'dist/cli',
    minifySyntax: true,
    // The client is bundled with its dependencies: one file to read instead of two hundred makes it start twice as fast.
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  }),
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
await chmod(new URL('../dist/cli/main.js', import.meta.url), 0o755);
