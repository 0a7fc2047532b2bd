import { expect, test } from 'vitest';
import { signedInHome } from '../../../support/cli.ts';
import { factories } from '../../../support/factories.ts';
import { startWorld } from '../../../support/world.ts';

test('--urgent is sent and shown, beside the pace that it ignores', async () => {
  await using world = await startWorld();
  await using home = await signedInHome(world);
  const make = factories(world);
  const key = await make.key();
  for (const name of ['amr-1', 'amr-2']) await make.robot(name, key);
  await make.release({ tag: 'nav-1.8.2' });
  await make.policy({ name: 'slow', rollout: { waves: [{ percent: 50 }], pace: { per_minute: 1 } } });
  const to = ['--fleet', 'pickers', '--policy', 'slow'];
  const lineOf = async (...words: string[]) => (await home.cli(words)).stdout;
  const plain = await lineOf('deploy', 'nav-1.8.2', ...to, '--fields', 'id,urgent');
  expect(plain).toMatch(/^\S+\t\n$/);
  for (const [show, ...words] of [
    ['deployments show', 'deploy', 'nav-1.8.2', ...to],
    ['configs deployment', 'configs', 'set', 'nav.max_speed', '1.2', ...to, '--json'],
    ['configs deployment', 'configs', 'deploy', 'nav.max_speed', ...to],
  ]) {
    const made = await home.cli([...words, '--urgent', '--yes']);
    expect([words, made.code]).toEqual([words, 0]);
    const shown = await lineOf(...(show ?? '').split(' '), 'latest', '-o', 'table');
    expect(shown).toMatch(/URGENT +yes\n/);
    expect(shown).toMatch(/ROLLOUT +slow, .*, 1\/min\n/);
  }
  const alone = await home.cli(['configs', 'set', 'nav.max_speed', '1', '--urgent']);
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--urgent requires --robot, --fleet')]);
});
