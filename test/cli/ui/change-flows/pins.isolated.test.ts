import { expect, test } from 'vitest';
import { robotHeader } from '../../../../cli/ui/robot/header.ts';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test('a robot is pinned at a release with an end and a reason, its page shows the pin, and U ends it', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const robot = await made.robot('amr-1');
  await made.release({ tag: 'nav-1' });
  await using desk = await openDesk(world, { place: { screen: 'robot', robotId: robot.robot_id } });
  const { data, notice, views } = desk.ui;
  want(data.robots, data.releases);
  const pin = () => data.robots.get().value?.byId.get(robot.robot_id)?.pin;
  const header = () =>
    robotHeader(desk.ui, views.get().current, 120, 30).map(({ segments }) => segments.map(({ text }) => text).join(''));
  await expect.poll(() => data.robots.get().value?.byId.has(robot.robot_id)).toBe(true);
  await expect.poll(() => data.releases.get().value).toBeDefined();
  expect(header().join('\n')).not.toContain('pinned');
  pressAll(desk, 'W', 'U');
  expect(notice.get()?.text).toContain('the robot is not pinned');

  pressAll(desk, 'P');
  await expect.poll(() => shown(desk)).toContain('Pin amr-1 at a release');
  expect(shown(desk)).toContain('what it runs (nothing yet)');
  type(desk, 'nav-1');
  pressAll(desk, 'enter');
  type(desk, 'never');
  pressAll(desk, 'enter', 'enter');
  expect(shown(desk)).toContain('this is not a time');
  pressAll(desk, ...Array.from('never', () => 'backspace'), 'enter', 'enter');
  expect(shown(desk)).toContain('an end is required');
  type(desk, '3d');
  pressAll(desk, 'enter', 'enter');
  expect(shown(desk)).toContain('a reason is required');
  type(desk, 'demo for a customer');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('It gets no other release until then');
  expect(shown(desk)).toMatch(/cli robots pin amr-1 --release nav-1 --until \S+Z --reason 'demo\s+for\s+a\s+customer'/);
  confirm(desk);
  await expect.poll(pin).toMatchObject({ tag: 'nav-1', reason: 'demo for a customer' });
  const aheadMs = Date.parse(pin()?.until ?? '') - Date.now();
  expect(Math.round(aheadMs / 3_600_000)).toBe(72);
  expect(notice.get()?.text).toContain('Pinned amr-1 at nav-1 until');
  expect(header()[2]).toMatch(/^ pinned at nav-1 until .*: demo for a customer \(/);

  pressAll(desk, 'U');
  expect(shown(desk)).toContain('Within seconds it gets the deployments that waited for it');
  expect(shown(desk)).toContain('cli robots unpin amr-1');
  confirm(desk);
  await expect.poll(pin).toBeUndefined();
  expect(notice.get()?.text).toBe('Unpinned amr-1.');
});

test('without a release the pin is at what the robot runs; the service says so if it has reported none', async () => {
  await using world = await startWorld();
  const robot = await factories(world).robot('amr-1');
  await using desk = await openDesk(world, { place: { screen: 'robot', robotId: robot.robot_id } });
  const { data } = desk.ui;
  want(data.robots, data.releases);
  await expect.poll(() => data.robots.get().value?.byId.has(robot.robot_id)).toBe(true);
  await expect.poll(() => data.releases.get().value).toBeDefined();
  pressAll(desk, 'W', 'P');
  await expect.poll(() => shown(desk)).toContain('Pin amr-1 at a release');
  pressAll(desk, 'enter');
  type(desk, '3d');
  pressAll(desk, 'enter');
  type(desk, 'demo');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('what it runs: nothing yet');
  confirm(desk);
  await expect.poll(() => shown(desk)).toContain('has reported no release');
});
