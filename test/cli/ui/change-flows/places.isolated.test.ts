import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { confirm, openDesk, pressAll, shown, type, want } from '../../../support/ui-data-harness.ts';
import { startWorld } from '../../../support/world.ts';

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** The row that has this name, under the cursor. */
async function select({ ui }: Desk, id: string): Promise<void> {
  want(ui.data.sites, ui.data.fleets, ui.data.robots);
  await expect.poll(() => ui.data.fleets.get().value && ui.data.sites.get().value).toBeDefined();
  ui.views.setList({ cursorId: id });
}

const planOf = ({ ui }: Desk) => {
  const overlay = ui.overlay.get();
  if (overlay?.kind !== 'plan') throw new Error(`no plan is open but ${overlay?.kind}`);
  return overlay.plan;
};

/** Names of sites or fleets in the service. */
const names = async (world: Awaited<ReturnType<typeof startWorld>>, path: '/api/sites' | '/api/fleets') =>
  (await world.call('GET', path)).body.items.map(({ name }: { name: string }) => name).sort();

test('a site and a fleet are renamed; a name that another one has is told while it is typed', async () => {
  await using world = await startWorld();
  const fleet = await factories(world).fleet();
  await world.call('POST', '/api/fleets', { body: { name: 'Packers', site_id: fleet.site_id } });
  await using desk = await openDesk(world, { place: { screen: 'places' } });
  await select(desk, fleet.id);
  pressAll(desk, 'W', 'R');
  pressAll(desk, ...Array.from('pickers', () => 'backspace' as const));
  type(desk, 'packers');
  pressAll(desk, 'enter');
  expect(shown(desk)).toContain('another fleet of the site has this name');
  type(desk, ' 2');
  pressAll(desk, 'enter');
  await expect.poll(() => shown(desk)).toContain('Fleet     pickers at Osaka');
  expect(planOf(desk).line).toEqual(['fleets', 'rename', 'pickers', 'packers 2']);
  confirm(desk);
  await expect.poll(() => names(world, '/api/fleets')).toEqual(['Packers', 'packers 2']);
  await select(desk, fleet.site_id);
  pressAll(desk, 'R');
  type(desk, ' North');
  pressAll(desk, 'enter');
  await expect.poll(() => desk.ui.overlay.get()?.kind).toBe('plan');
  confirm(desk);
  await expect.poll(() => names(world, '/api/sites')).toEqual(['Osaka North']);
});

test('the plan to delete says what is in a fleet, the refusal too, and an empty one is deleted by its name', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const { robot_id: robotId, fleet_id: fleetId } = (await made.robot()) as { robot_id: string; fleet_id: string };
  await using desk = await openDesk(world, { place: { screen: 'places' } });
  await select(desk, fleetId);
  pressAll(desk, 'W', 'x');
  await expect.poll(() => shown(desk)).toMatch(/Contains +1 robot/);
  expect(shown(desk)).toContain('The service refuses this until the fleet is empty.');
  expect(planOf(desk).line).toEqual(['fleets', 'delete', 'pickers']);
  await expect(planOf(desk).run(() => undefined)).rejects.toThrow(/fleet "pickers" has 1 robot/);
  pressAll(desk, 'esc');
  await world.call('DELETE', `/api/robots/${robotId}`);
  for (const key of (await world.call('GET', '/api/enrollment-keys')).body.items)
    await world.call('POST', `/api/enrollment-keys/${key.id}/revoke`);
  for (const each of ['robots', 'keys'] as const) desk.ui.data[each].refresh();
  await expect.poll(() => desk.ui.data.robots.get().value?.items).toEqual([]);
  await select(desk, fleetId);
  pressAll(desk, 'x');
  await expect.poll(() => shown(desk)).toMatch(/Contains +nothing/);
  pressAll(desk, 'enter');
  type(desk, 'pickers');
  pressAll(desk, 'enter', 'enter');
  await expect.poll(() => names(world, '/api/fleets')).toEqual([]);
});

test('a viewer is told the role that renaming and deleting take', async () => {
  await using world = await startWorld();
  const made = factories(world);
  const fleet = await made.fleet();
  const { id } = (await made.user('viewer')) as { id: string };
  const { value: token } = (await world.call('POST', `/api/users/${id}/tokens`, { body: {} })).body.data;
  await using desk = await openDesk(world, { token, place: { screen: 'places' } });
  want(desk.ui.data.whoami);
  await expect.poll(() => desk.ui.data.whoami.get().value?.role).toBe('viewer');
  await select(desk, fleet.id);
  pressAll(desk, 'R');
  expect(desk.ui.notice.get()?.text).toContain('requires the role operator; yours is viewer');
});
