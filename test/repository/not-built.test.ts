import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '../support/temp-dir.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

test('where nothing is built, npm start and the database commands say in a sentence what to do', async () => {
  await using folder = await tempDir();
  await mkdir(join(folder.path, '.ci'));
  for (const file of ['package.json', '.ci/built.mjs']) await cp(join(repository, file), join(folder.path, file));
  for (const script of ['start', 'db:export', 'db:import']) {
    const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
      const npm = execFile('npm', ['run', script], { cwd: folder.path }, (_error, stdout, stderr) =>
        resolve({ code: npm.exitCode, output: stdout + stderr }),
      );
    });
    expect(code, script).toBe(1);
    expect(output, script).toMatch(/^The service is not built here: run "npm run build"\.$/m);
    expect(output, script).not.toMatch(/^ +at |MODULE_NOT_FOUND/m);
  }
});
