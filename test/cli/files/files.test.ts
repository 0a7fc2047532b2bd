import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readToml, writeToml } from '../../../cli/files/toml-file.ts';

test('a writer that is killed leaves a whole file, the old one or a new one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fleet-toml-'));
  const path = join(directory, 'credentials.toml');
  const script = join(directory, 'writer.mts');
  const padding = 'x'.repeat(200_000);
  await writeToml(path, { token: '0', padding });
  const module = new URL('../../../cli/files/toml-file.ts', import.meta.url).href;
  await writeFile(
    script,
    `const { writeToml } = await import(${JSON.stringify(module)});
for (let i = 1; ; i += 1) { await writeToml(${JSON.stringify(path)}, { token: String(i) }); process.stdout.write('.'); }`,
  );
  try {
    for (let kills = 0; kills < 3; kills += 1) {
      const child = spawn(process.execPath, ['--import', 'tsx', script], { cwd: new URL('../../..', import.meta.url) });
      await new Promise<void>((resolve, reject) => {
        child.stdout.once('data', () => resolve());
        child.once('close', () => reject(new Error('the writer ended by itself')));
      });
      // Between one write and the next, wherever that is: the kill hits another point each time.
      child.kill('SIGKILL');
      await new Promise((resolve) => child.on('close', resolve));
      const table = await readToml(path);
      expect(table?.['padding']).toBe(padding);
      expect(Number(table?.['token'])).toBeGreaterThan(0);
    }
    expect((await readFile(path, 'utf8')).length).toBeGreaterThan(200_000);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
