import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type { Arch } from '../node-binary.ts';
import { registryPackage } from '../registry-package.ts';
import lock from '../../package-lock.json' with { type: 'json' };

export type Program = 'cli' | 'fleet-agent';

/** Content by name. */
export type Files = Map<string, string | Buffer>;

interface ClientBuild {
  commandLineFile(path: string): BuildOptions;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const client = new URL('../../dist/cli/', import.meta.url);
/** Files that stand for others in `dist/cli`, where they read from the disk. */
const sources: Record<string, string> = { 'run.js': 'run.code.js', 'agent.js': 'agent.code.js' };
/** Packages that the bundles leave out, by the names that the executable gives them (cli/executable/embedded-files.ts). */
const packages: Record<string, string> = {
  '@lydell/node-pty/requireBinary.js': 'native-pty.js',
  'jq-wasm': 'jq-wasm.js',
};
const loaded = /\b(?:require|import)\(['"]([^'"]+)['"]\)/g;

/** The script that starts the executable. */
export const startScript = () => bundled('executable/start', { supported: { 'dynamic-import': true } });

/** The files of the built client that a program loads, from `main.js` on, and the native code for that processor. */
export async function filesOf(program: Program, arch: Arch): Promise<Files> {
  const files: Files = new Map();
  const add = async (name: string): Promise<void> => {
    if (files.has(name)) return;
    const text = await textOf(name, program);
    files.set(name, text);
    for (const [, wanted = ''] of text.matchAll(loaded)) {
      const inside = packages[wanted] ?? (wanted.startsWith('./') ? wanted.slice('./'.length) : undefined);
      if (inside !== undefined) await add(inside);
    }
  };
  await add('main.js');
  // Loaded by its text, not by a require.
  if (program === 'cli') await add('decoder.js');
  files.set('pty.node', await nativePty(arch));
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function textOf(name: string, program: Program): Promise<string> {
  if (name === 'native-pty.js') return bundled('executable/native-pty');
  if (name === 'jq-wasm.js') return readFile(createRequire(import.meta.url).resolve('jq-wasm/inline'), 'utf8');
  if (name === 'main.js' && program === 'fleet-agent') return bundled('bin/agent-main');
  return readFile(new URL(sources[name] ?? name, client), 'utf8');
}

async function bundled(path: string, options: BuildOptions = {}): Promise<string> {
  const { commandLineFile } = (await import(new URL('.ci/client-build.mjs', `file://${root}`).href)) as ClientBuild;
  const { outputFiles } = await build({
    ...commandLineFile(path),
    ...options,
    entryPoints: [`cli/${path}.ts`],
    sourcemap: false,
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

async function nativePty(arch: Arch): Promise<Buffer> {
  const name = `@lydell/node-pty-linux-${arch}` as const;
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  return readFile(`${await registryPackage({ name, version, integrity })}/pty.node`);
}
