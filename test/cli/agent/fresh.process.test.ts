import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'smol-toml';
import { runBriefly } from '../../support/agent-process.ts';
import { signedInHome, startHome } from '../../support/cli.ts';
import { factories } from '../../support/factories.ts';
import { linkedAgent } from '../../support/fake-agent.ts';
import { startWorld } from '../../support/world.ts';

test('run --fresh retires the robot that the machine was, ends its link, and takes its name', async () => {
  await using world = await startWorld();
  const key = await factories(world).key({ max_uses: 3 });
  await using machine = await startHome();
  const run = (...flags: string[]) =>
    runBriefly(machine, ['--backend-url', world.url, '--enrollment-key', key.value, ...flags]);
  await run('--name', 'amr-007');
  const identity = async () => parse(await readFile(join(machine.config, 'agent.toml'), 'utf8'));
  const before = await identity();
  // The former disk of the machine runs on elsewhere.
  using twin = await linkedAgent(world.url, before['robot_token'] as string);
  const again = await run('--fresh', '--name', 'amr-007');
  const after = await identity();
  expect(after).toMatchObject({ robot_name: 'amr-007' });
  expect(after['robot_id']).not.toBe(before['robot_id']);
  expect(again.stderr).toContain('retired');
  expect(await twin.closed).toMatchObject({ code: 4401 });

  await using home = await signedInHome(world);
  const list = async (...flags: string[]) => (await home.cli(['robots', 'list', '--fields', 'name', ...flags])).stdout;
  expect(await list()).toBe('amr-007\n');
  expect(await list('--retired')).toBe('amr-007-retired\n');
  const retired = await home.cli(['robots', 'show', 'amr-007-retired', '--no-color'], { columns: 200 });
  expect(retired.stdout).toMatch(/STATUS +retired/);
  expect(retired.stdout).toMatch(/REPLACED BY +amr-007/);
  const fresh = await home.cli(['robots', 'inspect', 'amr-007', '--no-color'], { columns: 200 });
  expect(fresh.stdout).toMatch(/REPLACES +amr-007-retired/);
});
