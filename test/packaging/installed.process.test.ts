import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { packPackage } from '../../packaging/npm/stage.ts';
import manifest from '../../package.json' with { type: 'json' };
import { startServer } from '../support/server-process.ts';
import { tempDir } from '../support/temp-dir.ts';
import { testWith } from '../support/tools.ts';
import { clientHere, quickStart, tokenIn } from './quick-start.ts';

const run = promisify(execFile);
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const withRegistry = testWith('npm-registry');

let folder: Awaited<ReturnType<typeof tempDir>>;
const inside = (...path: string[]) => join(folder.path, ...path);

/** Nothing of this repository is above the folder, so only what npm installed is found. */
beforeAll(async () => {
  folder = await tempDir();
  const archive = await packPackage(folder.path);
  await run('npm', ['install', '--silent', '--omit=dev', '--no-audit', '--no-fund', '--prefix', folder.path, archive]);
});
afterAll(() => folder[Symbol.asyncDispose]());

withRegistry('npm installs the released package with few others, and its programs run by npx', async () => {
  const lock = JSON.parse(await readFile(inside('node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  const names = Object.keys(lock.packages);
  expect(names).toContain('node_modules/fleet-control-service');
  expect(names.length).toBeLessThanOrEqual(120);
  const { stdout } = await run('du', ['-sk', inside('node_modules')]);
  expect(parseInt(stdout)).toBeLessThanOrEqual(120 * 1024);
  const version = await run('npx', ['--no', '--', 'cli', '--version'], { cwd: folder.path });
  expect(version.stdout).toBe(`${manifest.version}\n`);
});

withRegistry('the installed programs lead from the first start to an applied deployment', async () => {
  await using home = await tempDir();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home.path };
  await using server = await startServer({ ...env, SERVICE_DATA_DIR: join(home.path, 'data') }, [
    ...[inside('node_modules/.bin/fleet-control-service'), 'start'],
  ]);
  using client = clientHere([inside('node_modules/.bin/cli')], env, server.url);
  const file = inside('node_modules/fleet-control-service/LICENSE');
  await quickStart({ ...client, url: server.url, token: tokenIn(server.stderr()), file });
});

withRegistry('a program in TypeScript is checked against the types of the installed package', async () => {
  const program = `
    import { createClient } from 'fleet-control-service/client';
    const api = createClient({ baseUrl: 'http://127.0.0.1:8080', token: 'svc_org_1' });
    const { items } = await api.GET('/api/sites');
    export const names: string[] = items.map(({ name }) => name);
    // @ts-expect-error -- the contract has no such path
    await api.GET('/api/nowhere');`;
  await writeFile(inside('program.mts'), program);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(inside('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
  const wrong = await run(process.execPath, [tsc, '-p', '.'], { cwd: folder.path }).then(
    () => '',
    (error: unknown) => `${String(error)} ${(error as { stdout: string }).stdout}`,
  );
  expect(wrong).toBe('');
});
