import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';
import { startWorld } from '../support/world.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

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
    await using world = await startWorld();
    await using folder = await tempDir();
    const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder.path });
    // As npm would link a package of one's own.
    await mkdir(join(folder.path, 'node_modules'));
    await symlink(repository, join(folder.path, 'node_modules/fleet-control-service'));
    await symlink(join(repository, 'node_modules/@types'), join(folder.path, 'node_modules/@types'));
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder.path, 'program.ts'), program);
    const compilerOptions = {
      ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, types: ['node'] },
      ...{ noUncheckedIndexedAccess: true, skipLibCheck: false, noEmitOnError: true },
    };
    await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await run(join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.').catch((error: unknown) => {
      throw new Error((error as { stdout: string }).stdout);
    });
    const { stdout } = await run('program.js', world.url, world.orgToken);
    expect(JSON.parse(stdout)).toEqual(['Osaka', ['Osaka'], 404]);
  },
);

test('what is imported knows no Node and needs no other file', async () => {
  const text = await readFile(join(repository, 'dist/client/index.js'), 'utf8');
  expect(text).not.toMatch(/^import |\brequire\(|node:|\bBuffer\b/m);
  expect(text.length).toBeLessThan(64 * 1024);
});
