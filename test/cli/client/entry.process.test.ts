import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { startIsolatedWorld } from '../../support/world.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const program = `
import { ApiError, createClient, type FleetClient } from 'fleet-control-service/client';

const [baseUrl = '', token = ''] = process.argv.slice(2);
const client: FleetClient = createClient({ baseUrl, token });
const { data: site } = await client.POST('/api/sites', { body: { name: 'Osaka' } });
const names: string[] = [];
for await (const { name } of client.list('/api/sites')) names.push(name);
const status: number = await client
  .GET('/api/robots/{id}', { params: { path: { id: 'nobody' } } })
  .then(() => 200, (error: unknown) => (error instanceof ApiError ? error.status : 0));
console.log(JSON.stringify([site.name, names, status]));
`;

test(
  'a program of others imports the client by its name, compiles strictly and runs',
  { timeout: 300_000 },
  async () => {
    await using world = await startIsolatedWorld();
    await using folder = await tempDir();
    const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder.path });
    // As npm would link a package of one's own.
    await mkdir(join(folder.path, 'node_modules'));
    await symlink(repository, join(folder.path, 'node_modules/fleet-control-service'));
    await symlink(join(repository, 'node_modules/@types'), join(folder.path, 'node_modules/@types'));
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder.path, 'program.ts'), program);
    const compilerOptions = {
      target: 'es2022',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      types: ['node'],
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmitOnError: true,
    };
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await run(join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.').catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
    const { stdout } = await run('program.js', world.url, world.orgToken);
    expect(JSON.parse(stdout)).toEqual(['Osaka', ['Osaka'], 404]);
  },
);

test('a program of the old module system takes the client by require, without a word of Node', async () => {
  await using folder = await tempDir();
  await mkdir(join(folder.path, 'node_modules'));
  await symlink(repository, join(folder.path, 'node_modules/fleet-control-service'));
  const file = join(folder.path, 'program.cjs');
  const lines = [
    "const { ApiError, createClient } = require('fleet-control-service/client');",
    "const { GET } = createClient({ baseUrl: 'http://127.0.0.1:1', token: 'none' });",
    'console.log(typeof GET, new ApiError("no", { status: 404, code: "not_found" }) instanceof Error);',
  ];
  await writeFile(file, lines.join('\n'));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
  expect([stdout, stderr]).toEqual(['function true\n', '']);
});

test('every import of the declarations is of one of them, of the contract or of a package that comes along', async () => {
  const folder = join(repository, 'generated/client');
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { dependencies: object };
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
  const imports: string[] = [];
  const astray: string[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\()'([^']+)'/g)) {
      imports.push(path);
      const at = join(folder, dirname(name), path.replace(/\.js$/, '.d.ts'));
      if (path.startsWith('.') ? !existsSync(at) : !Object.hasOwn(manifest.dependencies, path))
        astray.push(`${name}: ${path}`);
    }
  }
  expect(imports).toContain('openapi-fetch');
  expect(imports).toContain('../api.d.ts');
  expect(astray).toEqual([]);
});

test('what is imported knows no Node and needs no other file', async () => {
  const text = await readFile(join(repository, 'dist/client/index.js'), 'utf8');
  expect(text).not.toMatch(/^import |\brequire\(|node:|\bBuffer\b/m);
  expect(text.length).toBeLessThan(64 * 1024);
  const { code } = await transform(text, { minify: true });
  // docs/reference/typescript-client.md says how much a page loads.
  expect([code.length, gzipSync(code).length].map((bytes) => Math.round(bytes / 1000))).toEqual([30, 12]);
});
