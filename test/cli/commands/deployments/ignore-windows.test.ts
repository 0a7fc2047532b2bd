import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

const windows = { activate: [{ cron: '0 22 * * *', duration: '6h' }], zone: 'Europe/Berlin' };

async function startPolicy() {
  const world = await startWorld();
  const home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2']) await make.robot(name, key);
  await make.release({ tag: 'nav-1.8.2' });
  await make.config({ key: 'nav.max_speed', value: 1 });
  await make.policy({ name: 'nightly', rollout: { waves: [{ percent: 50 }], windows } });
  return {
    home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const to = ['--fleet', 'pickers', '--policy', 'nightly', '--ignore-windows'];

test('--ignore-windows is sent and shown, for releases and configs', async () => {
  await using scene = await startPolicy();
  const { home } = scene;
  const kept = await home.cli(['deploy', 'nav-1.8.2', ...to.slice(0, -1), '--yes', '--fields', 'id,ignore_windows']);
  expect(kept.stdout).toMatch(/^\S+\t\n$/);
  for (const [show, ...words] of [
    ['deployments show', 'deploy', 'nav-1.8.2'],
    ['configs deployment', 'configs', 'deploy', 'nav.max_speed'],
  ]) {
    expect([words, (await home.cli([...words, ...to, '--yes'])).code]).toEqual([words, 0]);
    const shown = await home.cli([...(show ?? '').split(' '), 'latest', '-o', 'table']);
    expect(shown.stdout).toMatch(/IGNORES WINDOWS +yes\n/);
  }
});

test('a plan keeps --ignore-windows, says so, and excludes it', async () => {
  await using scene = await startPolicy();
  const { home } = scene;
  for (const words of [
    ['deploy', 'nav-1.8.2'],
    ['configs', 'deploy', 'nav.max_speed'],
  ]) {
    const planned = await home.cli([...words, ...to, '--dry-run', '-o', 'table']);
    expect(planned.stdout).toMatch(/IGNORES WINDOWS +yes\n/);
    const id = /--plan (\S+)/.exec(planned.stderr)?.[1] ?? '';
    const command = words.slice(0, -1);
    const beside = await home.cli([...command, '--plan', id, '--ignore-windows']);
    expect([beside.code, beside.stderr]).toEqual([
      2,
      expect.stringContaining('--plan and --ignore-windows exclude each other'),
    ]);
    const made = await home.cli([...command, '--plan', id, '--yes', '--fields', 'ignore_windows']);
    expect([made.code, made.stdout]).toEqual([0, 'true\n']);
  }
});
