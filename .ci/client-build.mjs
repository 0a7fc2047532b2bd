/** How the client is built: for the product by build.mjs, and anew on each change by dev.mjs. */
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOutline } from './command-outline.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
};

/**
 * The files of the client, each with all that it needs but the others. A class or a value that two of them use is there twice, so none of
 * them may ask another's `instanceof`.
 */
const clientFiles = [
  ...['bin/main', 'bin/root-help', 'bin/run', 'commands/agent/agent-launcher', 'command-line/split-line'],
  ...['agent/agent', 'agent/ros/ros-graphs', 'agent/simulate/simulation', 'conformance/conformance-run'],
  ...['transport/link-socket', 'live/camera/decoder'],
];

/** The large ones that start often. Their code is in `<name>.code.js`, and what stands in its place is `compiled.cjs`. */
export const compiledFiles = ['run', 'agent'];

const outputOf = (name) => (compiledFiles.includes(name) ? `${name}.code` : name);

/** The other files are loaded from beside the one that needs them, when it does. */
const filesBeside = {
  name: 'files of the client',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const name = relative(join(root, 'cli'), resolve(resolveDir, path)).slice(0, -'.ts'.length);
      const isBeside = kind === 'dynamic-import' && clientFiles.includes(name);
      return isBeside ? { path: `./${basename(name)}.js`, external: true } : undefined;
    });
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

/** Builds the Unicode patterns of string-width on first use: they take milliseconds, and most lines measure plain text alone. */
const patternsOnUse = {
  name: 'string-width, its patterns on first use',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => {
      const body = /^const segmenter = [^]*$/m;
      const later =
        'const make = () => {$&return stringWidth;};let made;export default (...args) => (made ??= make())(...args);';
      const inside = replaced(await readFile(path, 'utf8'), /^export default (?=function stringWidth\()/m, '');
      return { contents: replaced(inside, body, later) };
    });
  },
};

/**
 * The interface is the one file of modules: the layout engine below Ink waits for itself while it is loaded, which CommonJS cannot. So what the others
 * are, a require, this must not be; and only a file that Node itself has loaded may import: that is `ui.js`, the promise of the interface.
 */
const interfaceBeside = {
  name: 'the interface',
  setup({ initialOptions, onResolve, onEnd }) {
    onResolve({ filter: /\/ui\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './ui-main.mjs', external: true } : undefined,
    );
    onEnd(async ({ errors }) => {
      const [entry] = initialOptions.entryPoints;
      if (errors.length > 0 || entry.in !== 'cli/bin/run.ts') return;
      const built = join(root, 'dist/cli/run.code.js');
      const required = /Promise\.resolve\(\)\.then\(\(\)=>\w+\(require\("\.\/ui-main\.mjs"\)(?:,1)?\)\)/;
      await writeFile(built, replaced(await readFile(built, 'utf8'), required, 'require("./ui.js")'));
    });
  },
};

/** What Ink's developers look at it with: loaded at their wish alone, from a package that is not there. */
const withoutDevtools = {
  name: 'Ink without its devtools',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/devtools\.js$/ }, () => ({ path: 'devtools', namespace: 'nothing' }));
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: '' }));
  },
};

/**
 * Ink paints by chalk, which looks at the environment for itself and paints nothing at all where it finds no colours, not even bold. The interface has its
 * own rules for that, and names no colour that the terminal does not have.
 */
const paintedAsTold = {
  name: 'chalk, which paints what it is told to',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]chalk[\\/]source[\\/]vendor[\\/]supports-color[\\/]index\.js$/ }, () => ({
      contents: 'export default { stdout: { level: 3 }, stderr: { level: 3 } };',
    }));
  },
};

/** Ink puts a frame together cell by cell; the interface does it line by line. */
const composedOfLines = {
  name: 'Ink, with frames of lines',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]ink[\\/]build[\\/]output\.js$/ }, () => ({
      contents: "export { Composer as default } from './cli/ui/terminal/composer.ts';",
      resolveDir: root,
    }));
  },
};

/** WebSockets look for this native package; theirs is a loop over single bytes where it is missing. */
export const frameMask = { bufferutil: './cli/transport/frame-mask.ts' };

/** In ES modules: packages of the old module system ask for Node's modules by require. */
export const requireBanner = {
  js: "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);",
};

/** Of everything that is the client's. */
const bundled = {
  ...shared,
  splitting: false,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // Native, and another one for each processor: it is looked for where the agent runs, and missed by none.
  // jq is a megabyte of WebAssembly that one flag needs: it stays in its package.
  external: ['@lydell/node-pty', 'jq-wasm'],
  alias: frameMask,
  // meow wants to know who calls, to look for a package.json that it is not left to look for.
  define: { ...shared.define, 'import.meta': '{"url":"file:///cli"}' },
};

/**
 * The client starts often and does little. So it is bundled with its dependencies, in CommonJS: its loader starts faster, and what a line
 * does not need, of ours and of Node, is not even evaluated. `--version` reads main.js alone, `--help` a small file beside it, a line without flags leaves meow alone, and
 * only an agent and who watches one read WebSockets.
 */
export const commandLineFile = (path) => ({
  ...bundled,
  entryPoints: [{ in: `cli/${path}.ts`, out: outputOf(basename(path)) }],
  outdir: 'dist/cli',
  format: 'cjs',
  // Node's import() of a CommonJS file reads it once more for its names; require does not.
  supported: { 'dynamic-import': false },
  plugins: [
    ...[interfaceBeside, filesBeside, parserAlone, patternsOnUse],
    ...(path === 'bin/root-help' ? [commandOutline] : []),
  ],
});
const commandLine = clientFiles.map(commandLineFile);

/** `cli ui`, with Ink: no other line of the client reads it. */
export const interfaceAlone = {
  ...bundled,
  entryPoints: { 'ui-main': 'cli/ui/main.ts' },
  outdir: 'dist/cli',
  outExtension: { '.js': '.mjs' },
  banner: requireBanner,
  // React draws twice as fast so; what it would say to its developers nobody reads.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [filesBeside, withoutDevtools, paintedAsTold, composedOfLines],
};

/** The agent alone, for a robot: one file that needs nothing beside it but Node. */
const agentAlone = {
  ...bundled,
  entryPoints: ['cli/bin/agent-main.ts'],
  outfile: 'dist/agent.mjs',
  sourcemap: false,
  banner: requireBanner,
  plugins: [parserAlone],
};

/** `fleet-control-service/client`, for programs and pages of others: it knows no Node. */
const packageEntry = {
  ...shared,
  splitting: false,
  platform: 'neutral',
  target: 'es2022',
  mainFields: ['module', 'main'],
  entryPoints: ['cli/client/index.ts'],
  outdir: 'dist/client',
  define: {},
};

export const clientBuilds = [...commandLine, interfaceAlone, agentAlone, packageEntry];

/** What the built files need beside them. */
export async function prepareClientFolder() {
  await mkdir(new URL('../dist/cli', import.meta.url), { recursive: true });
  await writeFile(new URL('../dist/cli/package.json', import.meta.url), '{"type":"commonjs"}\n');
  await writeFile(new URL('../dist/cli/ui.js', import.meta.url), "module.exports = import('./ui-main.mjs');\n");
  for (const name of compiledFiles)
    await copyFile(new URL('compiled.cjs', import.meta.url), new URL(`../dist/cli/${name}.js`, import.meta.url));
}

export const makeClientRunnable = () => chmod(new URL('../dist/cli/main.js', import.meta.url), 0o755);

function replaced(text, pattern, replacement) {
  const changed = text.replace(pattern, replacement);
  if (changed === text)
    throw new Error(`what is to be replaced was built otherwise than expected: ${pattern} matches nothing`);
  return changed;
}
