import { expect, test } from 'vitest';
import { runsRelease } from '../../../support/applied.ts';
import { factories } from '../../../support/factories.ts';
import { openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test('an older release is asked about for a rollout only, and the plan counts the robots that run a newer one', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const { robot_id: robotId } = await make.robot('amr-1', await make.key());
  await make.release({ tag: 'nav-1' });
  await runsRelease(world, robotId, await make.release({ tag: 'nav-2' }));
  await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }] } });
  await using desk = await openDesk(world, { place: { screen: 'deployments' } });
  const { data } = desk.ui;
  want(data.deployments);
  const open = async (tag: string) => {
    pressAll(desk, 'd');
    await expect.poll(() => shown(desk)).toContain('Deploy a release');
    type(desk, tag);
    pressAll(desk, 'enter', 'enter');
  };
  pressAll(desk, 'W');
  await open('nav-2');
  type(desk, 'careful');
  pressAll(desk, 'enter');
  expect(shown(desk)).not.toContain('Downgrade');
  pressAll(desk, 'esc');

  await open('nav-1');
  expect(shown(desk)).not.toContain('Downgrade');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toMatch(/Downgrade +1 robot runs a newer release\n/);
  expect(shown(desk)).toMatch(/cli deploy nav-1 --fleet pickers\n/);
  pressAll(desk, 'esc', 'esc');

  await open('nav-1');
  type(desk, 'careful');
  pressAll(desk, 'enter');
  expect(shown(desk)).toMatch(/Downgrade +\n +\S refuse it\n +allow it\n +Robots run a newer release\n/);
  type(desk, 'allow');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('cli deploy nav-1 --fleet pickers --policy careful --allow-downgrade');
  expect(shown(desk)).toMatch(/Downgrade +1 robot runs a newer release\n/);
  type(desk, 'pickers');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => desk.ui.overlay.get()).toBeUndefined();
  await expect.poll(() => data.deployments.get().value?.items.length).toBe(1);
});

test('for a selector the question is about robots of the org, and the plan counts those that match', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const [newer, other] = [await make.robot('amr-1', key), await make.robot('amr-2', key)];
  await world.call('PATCH', `/api/robots/${other.robot_id}`, { body: { labels: { tier: 'canary' } } });
  await make.release({ tag: 'nav-1' });
  await runsRelease(world, newer.robot_id, await make.release({ tag: 'nav-2' }));
  await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }] } });
  await using desk = await openDesk(world, { place: { screen: 'deployments' } });
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  type(desk, 'nav-1');
  pressAll(desk, 'enter');
  type(desk, 'selector');
  pressAll(desk, 'enter');
  type(desk, 'tier=canary');
  pressAll(desk, 'enter', 'enter');
  type(desk, 'careful');
  pressAll(desk, 'enter');
  const hint = 'Robots of the org run a newer release; the plan counts those that match';
  expect(shown(desk).replaceAll(/\s+/g, ' ')).toContain(hint);
  type(desk, 'allow');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('selector tier=canary (1 match now, 0 online)');
  expect(shown(desk)).not.toContain('newer release');
});
