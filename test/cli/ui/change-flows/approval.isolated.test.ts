import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld, type World } from '../../../support/world.ts';

/** A deployment of another author that one person must approve. */
async function unapproved(world: World, approval: object = {}): Promise<string> {
  const make = factories(world);
  const key = await make.key();
  await make.robot('amr-1', key);
  const release = await make.release({ tag: 'nav-1.8.2' });
  const rollout = { waves: [{ count: 1 }], approval };
  const wish = { release_id: release.id, target_kind: 'fleet', target_id: key.fleet_id, rollout };
  return (await make.deployment(wish, await make.userToken('operator'))).id as string;
}

test('a viewer may approve where the rule asks for no more, and is told the role of other changes', async () => {
  await using world = await startWorld();
  const id = await unapproved(world, { role: 'viewer' });
  const place = { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const;
  await using desk = await openDesk(world, { place, token: await factories(world).userToken('viewer') });
  const { deployments, releases, whoami } = desk.ui.data;
  want(deployments, releases, whoami);
  await expect.poll(() => releases.get().value?.items.length).toBe(1);
  await expect.poll(() => deployments.get().value?.items).toMatchObject([{ approval: { wave: 0 } }]);
  await expect.poll(() => whoami.get().value?.role).toBe('viewer');
  pressAll(desk, 'v');
  expect(desk.ui.notice.get()?.text).toContain('read-only: W allows changes');
  for (const isAllowed of [false, true]) {
    expect(desk.ui.writes.get()).toBe(isAllowed);
    pressAll(desk, 'x');
    expect(desk.ui.notice.get()?.text).toContain('requires the role operator; yours is viewer');
    pressAll(desk, 'W');
  }
  pressAll(desk, 'W', 'v', 'enter');
  await expect.poll(() => shown(desk)).toContain(`cli deployments approve ${id}`);
  confirm(desk);
  await expect.poll(() => desk.ui.notice.get()?.text).toContain('Approved nav-1.8.2');
});

test.each([
  ['v', 'Approve the deployment', 'approve', 'It continues at once.', 'scheduled'],
  ['V', 'Reject the deployment', 'reject', 'It is cancelled', 'cancelled'],
])('the key %s shows the plan of a deployment, and decides on it', async (key, title, command, effect, status) => {
  await using world = await startWorld();
  const id = await unapproved(world);
  const place = { screen: 'deployment', deployment: { deploymentKind: 'release', id } } as const;
  await using desk = await openDesk(world, { place });
  const { deployments } = desk.ui.data;
  want(deployments);
  await expect.poll(() => deployments.get().value?.items).toMatchObject([{ approval: { wave: 0 } }]);
  pressAll(desk, 'W', key);
  await expect.poll(() => shown(desk)).toContain(title);
  type(desk, 'looked at');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain(`cli deployments ${command} ${id} --reason 'looked at'`);
  expect(shown(desk)).toMatch(/Author +operator@example\.com/);
  expect(shown(desk)).toMatch(/Robots +1, 0 online/);
  expect(shown(desk)).toMatch(/Approved +0 of 1/);
  expect(shown(desk)).toContain(effect);
  confirm(desk);
  await expect.poll(() => desk.ui.overlay.get()).toBeUndefined();
  const read = async () => (await world.call('GET', `/api/deployments/${id}`)).body.data.status as string;
  await expect.poll(async () => [status, 'pending'].includes(await read())).toBe(true);
});
