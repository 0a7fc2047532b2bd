import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { startHome } from '../../support/cli.ts';

async function startEmptyHome() {
  const home = await startHome();
  return {
    path: home.path,
    run: (...args: string[]) => home.cli(['agent', 'conformance', ...args], { env: { TEST_FOLDER: home.path } }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

test.concurrent('a report that cannot be written is told before any agent is started', async ({ expect }) => {
  await using home = await startEmptyHome();
  const command = 'touch "$TEST_FOLDER/agent"';
  const { code, stderr } = await home.run('--junit', join(home.path, 'none', 'report.xml'), '--command', command);
  expect(code).toBe(1);
  expect(stderr).toContain('--junit: cannot write');
  expect(await readdir(home.path)).not.toContain('agent');
});

test.concurrent('checks are left out by their names', async ({ expect }) => {
  await using home = await startEmptyHome();
  const { code, stdout } = await home.run(
    '--only',
    'pings',
    '--only',
    'clock',
    '--skip',
    'clock',
    '--command',
    'exit 1',
  );
  expect(stdout).toMatch(/^FAILED +pings .*\n.*\n$/);
  expect(code).toBe(1);
  expect(await home.run('--only', 'pings', '--skip', 'pings', '--command', 'exit 1')).toMatchObject({
    code: 2,
    stdout: '',
  });
  const unknown = await home.run('--skip', 'nothing', '--command', 'exit 1');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toContain('--skip: unknown check "nothing"');
});
