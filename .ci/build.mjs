/**
 * Builds what runs: dist/server (main, its thread and the command of the host), dist/cli, and dist/agent.mjs. Plain JavaScript and esbuild alone, so that
 * `npm ci --omit=dev` can run it; tsc only checks.
 */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import { writePackages } from './bundled.mjs';
import {
  clientBuilds,
  frameMask,
  requireBanner,
  makeClientRunnable,
  prepareClientFolder,
  shared,
} from './client-build.mjs';

/** What knex and others would load if it were there: for databases and runtimes that are not ours, and native packages that we do without. */
const absent = [
  ...['better-sqlite3', 'mariadb', 'mysql', 'mysql2', 'oracledb', 'sqlite3', 'tedious', 'pg-native', 'pg-query-stream'],
  'utf-8-validate',
];

await rm(new URL('../dist', import.meta.url), { recursive: true, force: true });
await prepareClientFolder();
const built = await Promise.all([
  build({
    ...shared,
    entryPoints: {
      main: 'src/main.ts',
      'log-redaction-thread': 'src/log-redactions/thread-main.ts',
      'fleet-control-service': 'src/host-command/main.ts',
    },
    outdir: 'dist/server',
    // Packages are built in: a thousand files that are found and read one by one take a third of a start.
    external: absent,
    alias: frameMask,
    banner: requireBanner,
  }),
  ...clientBuilds.map(build),
]);

/**
 * Writes all characters of the server's files in ASCII. Node keeps a file with one other character in two bytes per character: 15 MB
 * more in memory for a few dashes. Those that esbuild leaves are in comments, and in templates, where an escape means the same.
 */
async function escapeServer() {
  const folder = new URL('../dist/server/', import.meta.url);
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.js'))) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const escaped = text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (escaped !== text) await writeFile(new URL(name, folder), escaped);
  }
}

/**
 * What pages load: styles, and the reference's assets. Redoc shows one picture from its makers' host, and ours must work without any other host;
 * and it paints patterns in one colour that no theme changes and that cannot be read in the dark.
 */
async function buildAssets() {
  await mkdir(new URL('../dist/docs/', import.meta.url), { recursive: true });
  const redoc = await readFile(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  const alone = redoc.replaceAll(/https:\/\/cdn\.redoc\.ly\/[^"']*/g, 'data:,').replaceAll('#0e7c86', 'var(--faint)');
  await writeFile(new URL('../dist/docs/redoc.js', import.meta.url), alone);
  await copyFile(
    createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    new URL('../dist/docs/swagger-ui.js', import.meta.url),
  );
  for (const script of ['page.js', 'try.js'])
    await copyFile(
      new URL(`../src/docs-site/reference/${script}`, import.meta.url),
      new URL(`../dist/docs/${script}`, import.meta.url),
    );
  await copyFile(new URL('../src/portal/live.js', import.meta.url), new URL('../dist/docs/live.js', import.meta.url));
  await build({
    absWorkingDir: shared.absWorkingDir,
    entryPoints: {
      page: 'src/docs-site/reference/page.css',
      plain: 'src/docs-site/reference/plain.css',
      guide: 'src/docs-site/reference/guide.css',
      try: 'src/docs-site/reference/try.css',
      portal: 'src/portal/style.css',
    },
    outdir: 'dist/docs',
    bundle: true, // styles share theirs by @import
    logLevel: 'warning',
  });
  await writeFile(new URL('../dist/docs/changelog.json', import.meta.url), await changelog());
}

/** CHANGELOG.md as data, for /docs/changelog: read as the gate of breaking changes reads it. */
async function changelog() {
  const { outputFiles } = await build({
    absWorkingDir: shared.absWorkingDir,
    entryPoints: ['.ci/breaking/changelog.ts'],
    format: 'esm',
    write: false,
  });
  const { releasesOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return JSON.stringify(releasesOf(await readFile(new URL('../CHANGELOG.md', import.meta.url), 'utf8')));
}

await escapeServer();
await chmod(new URL('../dist/server/fleet-control-service.js', import.meta.url), 0o755);
await buildAssets();
await writePackages(built, ['node_modules/redoc', 'node_modules/swagger-ui-dist']);
await makeClientRunnable();
execFileSync(process.execPath, ['.ci/compile.mjs'], {
  cwd: shared.absWorkingDir,
  stdio: ['ignore', 'ignore', 'inherit'],
});
