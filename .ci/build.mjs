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

/** The other files of the client are loaded from beside the one that needs them, when it does. */
const filesBeside = {
  name: 'files of the client',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(run|split-line)\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: path.replace(/ts$/, 'js'), external: true } : undefined,
    );
  },
};

/**
 * Leaves out of meow what reads and checks a package.json, two thirds of it: it is loaded with every line that has a flag, and the
 * client tells meow its name instead. The build fails where a later meow is built otherwise.
 */
const parserAlone = {
  name: 'meow, the parser alone',
  setup({ onLoad }) {
    // Packages of the old module system are loaded where they stand, used or not; marked so, they go when nothing uses them.
    onLoad({ filter: /[\\/]meow[\\/]build[\\/]dependencies\.js$/ }, async ({ path }) => {
      const calls = /^((?:var|const) \w+ = )?(?=(?:require[A-Z][\w$]*|getDefaultExportFromCjs|promisify)\()/gm;
      return { contents: replaced(await readFile(path, 'utf8'), calls, '$1/* @__PURE__ */ ') };
    });
    onLoad({ filter: /[\\/]meow[\\/]build[\\/]options\.js$/ }, async ({ path }) => {
      const readers = /^import \{ a as readPackageUpSync, n as normalizePackageData \} from '\.\/dependencies\.js';$/m;
      const none = 'const readPackageUpSync = () => undefined, normalizePackageData = () => undefined;';
      return { contents: replaced(await readFile(path, 'utf8'), readers, none) };
    });
  },
};

await rm(new URL('../dist', import.meta.url), { recursive: true, force: true });
await mkdir(new URL('../dist/cli', import.meta.url), { recursive: true });
await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/main.ts', 'src/db-export.ts', 'src/db-import.ts'],
    outdir: 'dist/server',
    // Dependencies of the server are loaded from node_modules: some read files beside themselves.
    packages: 'external',
  }),
  // The client starts often and does little. So it is bundled with its dependencies, in CommonJS: its loader starts faster, and what a line
  // does not need, of ours and of Node, is not even evaluated. `--version` reads main.js alone, and a line without flags leaves meow alone.
  ...['main', 'run', 'split-line'].map((name) =>
    build({
      ...shared,
      entryPoints: [`cli/${name}.ts`],
      outdir: 'dist/cli',
      splitting: false,
      format: 'cjs',
      // Node's import() of a CommonJS file reads it once more for its names; require does not.
      supported: { 'dynamic-import': false },
      minifySyntax: true,
      minifyWhitespace: true,
      legalComments: 'none',
      // meow wants to know who calls, to look for a package.json that it is not left to look for.
      define: { ...shared.define, 'import.meta': '{"url":"file:///cli"}' },
      plugins: [filesBeside, parserAlone],
    }),
  ),
  writeFile(new URL('../dist/cli/package.json', import.meta.url), '{"type":"commonjs"}\n'),
]);

function replaced(text, pattern, replacement) {
  const changed = text.replace(pattern, replacement);
  if (changed === text) throw new Error(`meow is built otherwise than expected: ${pattern} matches nothing`);
  return changed;
}

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
