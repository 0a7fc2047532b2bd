import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../../support/factories.ts';
import { startDeploymentWorld, type LinkedRobot } from '../support.ts';
import { execute, inAnHour, label, planOf } from './support.ts';

/** Two robots in hall 1 and one without a hall, of the fleet of the world, and a release. */
async function startHalls() {
  const it = await startDeploymentWorld();
  const make = factories(it.world);
  const links = (await it.robots(3)) as [LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, links.slice(0, 2), { hall: '1' });
  const places = async (kind: string, id: string) => (await it.world.call('GET', `/api/${kind}/${id}`)).body.data.name;
  const { id: releaseId } = await it.release();
  const order = (path: string, body: object) =>
    it.world.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
  return {
    ...it,
    make,
    links,
    releaseId,
    site: (await places('sites', it.siteId)) as string,
    fleet: (await places('fleets', it.fleetId)) as string,
    /** The message of the refusal; undefined without one. */
    async refusal(target: object): Promise<string | undefined> {
      const { status, body } = await order('/api/deployments', { release_id: releaseId, ...target });
      expect([201, 409]).toContain(status);
      return body.error?.message as string | undefined;
    },
    planRefusal: async (target: object) =>
      (
        await it.world.call('POST', '/api/deployment-plans', {
          body: { kind: 'release', release_id: releaseId, ...target },
        })
      ).body.error?.message as string | undefined,
    budget: (settings: object) => make.budget({ max_unavailable: undefined, ...settings }) as Promise<{ id: string }>,
    set: (id: string, body: object) => it.world.call('PATCH', `/api/disruption-budgets/${id}`, { body }),
  };
}

const noRoom = (name: string, robot: string) =>
  `no_room: budget "${name}" never lets ${robot} be unavailable; change the budget or the target`;

test('a plan has the groups of budgets with its robots, those with the least room first', async () => {
  await using it = await startHalls();
  expect((await planOf(it, it.releaseId)).budgets).toEqual([]);
  await it.db('robot_links').where({ robot_id: it.links[0].robotId }).update({ replica_id: null });
  await it.budget({ name: 'halls', group_by: ['hall'], max_unavailable: { count: 1 } });
  await it.budget({ name: 'all', max_unavailable: { percent: 90 } });
  await it.budget({ name: 'places', group_by: ['@site', '@fleet'], min_available: { count: 1 } });
  await it.budget({ name: 'elsewhere', selector: 'tier=canary', max_unavailable: { count: 0 } });
  const plan = await planOf(it, it.releaseId);
  const halls = { budget_id: expect.any(String), name: 'halls', allowed: 1 };
  expect(plan.budgets).toEqual([
    { ...halls, group: 'hall=1', robots: 2, total: 2, unavailable: 1 },
    { ...halls, group: '!hall', robots: 1, total: 1, unavailable: 0 },
    ...[
      { name: 'places', group: `${it.site}, ${it.site}/${it.fleet}`, allowed: 2 },
      { name: 'all', allowed: 3 },
    ].map((group) => ({ budget_id: expect.any(String), robots: 3, total: 3, unavailable: 1, ...group })),
  ]);
  const robot = { target_kind: 'robot', target_id: it.links[2].robotId };
  const one = await planOf(it, it.releaseId, robot);
  expect(one.budgets.map(({ name, robots, total }) => [name, robots, total])).toEqual([
    ['halls', 1, 1],
    ['places', 1, 3],
    ['all', 1, 3],
  ]);
});

test('what a budget never lets happen is neither planned nor deployed, also later, and says which group', async () => {
  await using it = await startHalls();
  const fleet = { target_kind: 'fleet', target_id: it.fleetId };
  const { id } = await it.budget({
    name: 'halls',
    group_by: ['hall'],
    max_unavailable: { count: 0 },
    selector: 'hall',
  });
  const inHall = noRoom('halls', 'a robot of the group hall=1');
  for (const refusal of [it.refusal, it.planRefusal]) expect(await refusal(fleet)).toBe(inHall);
  expect(await it.refusal({ ...fleet, ...inAnHour() })).toBe(inHall);
  expect(await it.refusal({ ...fleet, urgent: true })).toBe(inHall);
  expect(await it.refusal({ target_kind: 'selector', target_selector: 'hall=1' })).toBe(inHall);
  expect(await it.refusal({ target_kind: 'robot', target_id: it.links[0].robotId })).toBe(inHall);
  // No robot of the group.
  expect(await it.refusal({ target_kind: 'robot', target_id: it.links[2].robotId })).toBeUndefined();
  expect(await it.refusal({ target_kind: 'selector', target_selector: '!hall' })).toBeUndefined();
  await it.set(id, { group_by: [], selector: '' });
  expect(await it.refusal(fleet)).toBe(noRoom('halls', 'a robot'));
  await it.set(id, { group_by: ['@fleet'], min_available: { count: 3 } });
  expect(await it.refusal(fleet)).toBe(noRoom('halls', `a robot of the group ${it.site}/${it.fleet}`));
  await it.set(id, { min_available: { count: 2 } });
  expect(await it.refusal(fleet)).toBeUndefined();
});

test('a budget that has no room now, but could, refuses nothing', async () => {
  await using it = await startHalls();
  await it.budget({ max_unavailable: { percent: 1 } });
  await it.db('robot_links').where({ org_id: it.world.orgId }).update({ replica_id: null });
  expect(await it.refusal({ target_kind: 'fleet', target_id: it.fleetId })).toBeUndefined();
});

test('a plan is not executed once a budget never lets its robots be unavailable', async () => {
  await using it = await startHalls();
  const plan = await planOf(it, it.releaseId);
  await it.budget({ name: 'freeze', max_unavailable: { percent: 0 } });
  expect((await execute(it, plan)).body.error.message).toBe(noRoom('freeze', 'a robot'));
});
