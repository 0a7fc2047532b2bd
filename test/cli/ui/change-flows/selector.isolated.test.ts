import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test('a deployment goes to the robots that match a selector, and until a time to those that match later', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const { robot_id: robotId } = await make.robot('amr-1', key);
  await make.robot('amr-2', key);
  await world.call('PATCH', `/api/robots/${robotId}`, { body: { labels: { tier: 'canary' } } });
  await make.release({ tag: 'nav-1' });
  await make.policy({ name: 'careful', rollout: { waves: [{ count: 1 }] } });
  await using desk = await openDesk(world, { place: { screen: 'deployments' } });
  const { data, overlay } = desk.ui;
  want(data.deployments);
  const clear = () => pressAll(desk, 'ctrl-u');
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  pressAll(desk, 'enter');
  expect(shown(desk)).not.toContain('Also later');
  type(desk, 'selector');
  pressAll(desk, 'enter', 'enter', 'enter', 'enter', 'enter');
  expect(shown(desk)).toContain('a selector is required');
  type(desk, 'tier in (');
  pressAll(desk, 'enter');
  type(desk, 'never');
  pressAll(desk, 'enter', 'enter', 'enter');
  expect(shown(desk)).toContain('this is not a time');
  clear();
  type(desk, '30d');
  pressAll(desk, 'enter');
  type(desk, 'careful');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('Example: tier=canary,@site=Osaka');
  expect(overlay.get()?.kind).toBe('form');

  pressAll(desk, 'shift-tab', 'shift-tab', 'shift-tab');
  clear();
  type(desk, 'tier=canary');
  pressAll(desk, 'tab', 'tab', 'tab', 'enter');
  await expect.poll(() => overlay.get()?.kind).toBe('plan');
  const [, until = ''] = /--dynamic-until (\S+Z)/.exec(shown(desk).replaceAll('\n', ' ')) ?? [];
  expect(Math.round((Date.parse(until) - Date.now()) / 3_600_000)).toBe(720);
  expect(shown(desk).replaceAll(/\s+/g, ' ')).toContain(
    `cli deploy nav-1 --selector tier=canary --dynamic-until ${until} --policy careful`,
  );
  expect(shown(desk)).toMatch(/Target +selector tier=canary \(1 match now, 0 online\)\n/);
  expect(shown(desk)).toMatch(/Dynamic +also robots that match until /);
  type(desk, 'tier=canary');
  confirm(desk);
  await expect
    .poll(() => data.deployments.get().value?.items)
    .toMatchObject([{ target_kind: 'selector', target_selector: 'tier=canary', dynamic: true, dynamic_until: until }]);

  // The next one is offered for the same selector, and without a time it is for those that match when it begins.
  await expect.poll(() => overlay.get()).toBeUndefined();
  pressAll(desk, 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  pressAll(desk, 'enter', 'enter');
  expect(shown(desk)).toMatch(/Selector +tier=canary/);
  pressAll(desk, 'enter', 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toMatch(/cli deploy nav-1 --selector tier=canary\n/);
  expect(shown(desk)).not.toContain('Dynamic');
});

test('robots that come to match while the plan is open refuse it, and are in it then', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const key = await make.key();
  const canaries = [await make.robot('amr-1', key), await make.robot('amr-2', key)];
  const label = (index: number) =>
    world.call('PATCH', `/api/robots/${canaries[index]?.robot_id}`, { body: { labels: { tier: 'canary' } } });
  await label(0);
  await make.release({ tag: 'nav-1' });
  await using desk = await openDesk(world, { place: { screen: 'deployments' } });
  pressAll(desk, 'W', 'd');
  await expect.poll(() => shown(desk)).toContain('Deploy a release');
  pressAll(desk, 'enter');
  type(desk, 'selector');
  pressAll(desk, 'enter');
  type(desk, 'tier=canary');
  pressAll(desk, 'enter', 'enter', 'enter');
  await expect.poll(() => shown(desk)).toContain('selector tier=canary (1 match now, 0 online)');
  await label(1);
  type(desk, 'tier=canary');
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('selector tier=canary changed: now 2 robots, 0 online; check again');
  expect(shown(desk)).toContain('selector tier=canary (2 match now, 0 online)');
  expect(await world.count('deployments')).toBe(0);
  confirm(desk);
  await expect.poll(() => world.count('deployments')).toBe(1);
});
