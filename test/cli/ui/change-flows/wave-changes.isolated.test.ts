import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

test('the waves that have not begun are replaced by those of one text, and the plan has the robots they have now', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const key = await made.key();
  for (const name of ['amr-1', 'amr-2', 'amr-3', 'amr-4']) await made.robot(name, key);
  const release = await made.release({ tag: 'nav-1.8.2' });
  const order = { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id };
  const { id } = await made.deployment({ ...order, rollout: { waves: [{ count: 1 }, { percent: 50 }] } });
  const place = { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const;
  await using desk = await openDesk(world, { place });
  const { data, notice, overlay } = desk.ui;
  want(data.deployments, data.releases, data.fleets, data.robots);
  const rollout = () => data.deployments.get().value?.byId.get(id)?.rollout;
  await expect.poll(() => rollout()?.wave).toBe(1);

  pressAll(desk, 'W', 'e');
  await expect.poll(() => shown(desk)).toContain('Change the waves that have not begun');
  expect(shown(desk)).toMatch(/From wave +2/);
  expect(shown(desk)).toMatch(/New waves +50%/);
  pressAll(desk, 'backspace');
  type(desk, '1');
  pressAll(desk, 'enter', 'enter', 'enter');
  expect(shown(desk)).toContain('a whole number from 2 to 3');
  pressAll(desk, 'backspace');
  type(desk, '2');
  pressAll(desk, 'enter', 'ctrl-u');
  type(desk, '1; many');
  pressAll(desk, 'enter', 'enter');
  expect(shown(desk)).toContain('"many" is neither a selector');
  pressAll(desk, 'ctrl-u');
  type(desk, '"a;b": 1; 25%');
  pressAll(desk, 'enter');
  type(desk, 'fewer');
  pressAll(desk, 'enter');
  const line = `cli deployments waves ${id} --from 2 --wave '"a;b": 1' --wave 25% --reason fewer`;
  await expect.poll(() => shown(desk).replace(/\n */g, ' ')).toContain(line);
  expect(shown(desk)).toMatch(/Robots +3 that wait are assigned again\n/);
  expect(shown(desk)).toMatch(/Now +50% \(2\); any others \(1\)\n/);
  expect(shown(desk)).toMatch(/New +"a;b": 1; 25%; then any others\n/);
  confirm(desk);
  await expect.poll(() => overlay.get()).toBeUndefined();
  expect(notice.get()?.text).toBe('Robots by wave: wave 2: 1, wave 3: 1, wave 4: 1.');
  await expect.poll(() => rollout()?.waves.length).toBe(4);

  // The last wave begins: there is none left to change.
  for (const wave of [1, 2, 3]) await world.call('POST', `/api/deployments/${id}/skip`, { body: { wave } });
  await expect.poll(() => rollout()?.wave).toBe(4);
  pressAll(desk, 'e');
  expect(notice.get()?.text).toContain('the last wave has begun');
});
