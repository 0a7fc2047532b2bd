import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, documentAt, repository } from '../support/documents.ts';
import { runProgram } from './samples.ts';
import { tempDir } from '../support/temp-dir.ts';

/** What a program around the samples has: the names that they do not make themselves. */
const around = `
declare const baseUrl: string, token: string, id: string, robotId: string;
declare const release: { id: string }, fleet: { id: string };
declare function show(jpeg: Uint8Array): Promise<void>;
`;

test('each sample of the page about the client compiles strictly', { timeout: 300_000 }, async () => {
  await using folder = await tempDir();
  await mkdir(join(folder.path, 'node_modules'));
  await symlink(repository, join(folder.path, 'node_modules/fleet-control-service'));
  for (const name of ['@types', 'ws'])
    await symlink(join(repository, 'node_modules', name), join(folder.path, 'node_modules', name));
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  const page = documentAt('docs/reference/typescript-client.md');
  const samples = blocksOf(page).filter(({ language }) => language === 'ts');
  expect(samples.length).toBeGreaterThanOrEqual(3);
  const begins = "import { createClient } from 'fleet-control-service/client';\n";
  const files = samples.map((_sample, index) => `sample-${index}.ts`);
  for (const [index, { text }] of samples.entries()) {
    // A page goes on with the client that its first sample has made.
    const makes = text.includes('createClient({') ? '' : 'declare const client: ReturnType<typeof createClient>;\n';
    const whole = `${text.includes(begins) ? '' : begins}${makes}${text}`;
    await writeFile(join(folder.path, `sample-${index}.ts`), `${whole}\n`);
  }
  await writeFile(join(folder.path, 'around.d.ts'), around);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  };
  await writeFile(
    join(folder.path, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...files, 'around.d.ts'] }),
  );
  const tsc = join(repository, 'node_modules/typescript/bin/tsc');
  expect(await runProgram(process.execPath, [tsc, '-p', '.'], folder.path, {})).toBe('');
});
