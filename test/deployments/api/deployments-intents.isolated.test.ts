import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../../support/factories.ts';
import { startWorld, type World } from '../../support/world.ts';

interface Order {
  id: string;
  status: string;
  target_kind: string;
  target_id: string;
  release_id?: string;
  config_id?: string;
  revision?: number;
  key?: string;
  caused_by?: { kind: string; deployment_id: string };
}

const orders = async (world: World, query = ''): Promise<Order[]> =>
  (
    await Promise.all(
      ['/api/deployments', '/api/configs/deployments'].map((path) => world.call('GET', `${path}${query}`)),
    )
  ).flatMap(({ body }) => body.items);

/** What the service itself ordered for a robot, in a fixed order. */
const caused = async (world: World, robotId: string): Promise<Order[]> =>
  (await orders(world, `?target_id=${robotId}`))
    .filter((order) => order.caused_by)
    .sort((one, other) => (one.id < other.id ? -1 : 1));

const causes = async (world: World, robotId: string) =>
  (await caused(world, robotId)).map((order) => order.caused_by?.deployment_id).sort();

/** For what the engine does by itself. */

const hasBegun = (world: World) =>
  expect.poll(async () => (await orders(world)).filter(({ status }) => status === 'scheduled')).toEqual([]);

/** A fleet with a robot, its key, and a way to order something for it. */
async function startFleet(world: World) {
  const make = factories(world);
  const key = await make.key();
  const first = await make.robot('first', key);
  const target = { target_kind: 'fleet', target_id: key.fleet_id as string };
  const order = async (what: object, to: object = target) => (await make.deployment({ ...what, ...to })).id as string;
  return { make, key, first, target, order, enroll: async () => (await make.robot(undefined, key)).robot_id as string };
}

const move = (world: World, robotId: string, fleetId: string) =>
  world.call('PATCH', `/api/robots/${robotId}`, { body: { fleet_id: fleetId } });

/** Takes a robot through the legal moves to a target's end. */
async function end(world: World, robotId: string, status: string): Promise<void> {
  await world.db('targets').where({ robot_id: robotId, status: 'waiting' }).update({ status: 'dispatched' });
  await world.db('targets').where({ robot_id: robotId, status: 'dispatched' }).update({ status, deadline_at: null });
}

test('a newcomer is ordered what its fleet has: of each kind and key the newest, and nothing twice', async () => {
  await using world = await startWorld();
  const { make, order, enroll } = await startFleet(world);
  const [image, script, newer] = [await make.release(), await make.release({ kind: 'script' }), await make.release()];
  const configs: string[] = [];
  for (const key of ['a', 'b', 'c']) configs.push((await make.config({ key, value: 1 })).id);
  const old = await order({ release_id: image.id });
  await hasBegun(world);
  const wanted = [await order({ release_id: script.id }), await order({ release_id: newer.id })];
  for (const id of configs) wanted.push(await order({ config_id: id }));
  await hasBegun(world);
  const robot = await enroll();
  expect(await causes(world, robot)).toEqual(wanted.sort());
  expect(wanted).not.toContain(old);
  for (const made of await caused(world, robot)) {
    expect(made).toMatchObject({ status: 'pending', target_kind: 'robot', caused_by: { kind: 'enrolled' } });
    const face = made.release_id === undefined ? 'configs/deployments' : 'deployments';
    const { items } = (await world.call('GET', `/api/${face}/${made.id}/targets`)).body;
    expect(items).toMatchObject([{ robot_id: robot, status: 'waiting' }]);
    const events = (await world.call('GET', `/api/${face}/${made.id}/events`)).body.items;
    expect(events).toMatchObject([
      { seq: 1, status: 'scheduled' },
      { seq: 2, status: 'pending' },
    ]);
  }
  // Lists tell those that somebody ordered from those that came of them.
  for (const [face, asked, made] of [
    ['deployments', [old, ...wanted], 2],
    ['configs/deployments', wanted, 3],
  ] as const) {
    const list = async (query: string) =>
      (await world.call('GET', `/api/${face}?${query}`)).body.items as { id: string; caused_by?: object }[];
    const all = await list('');
    const ours = await list('cause_kind=none');
    expect(ours).toEqual(all.filter(({ id }) => (asked as readonly string[]).includes(id)));
    expect(await list('cause_kind=enrolled')).toEqual(all.filter((each) => each.caused_by));
    expect(await list('cause_kind=enrolled')).toHaveLength(made);
    expect(await list('cause_kind=moved')).toEqual([]);
  }
});

test('a newcomer of a fleet without orders is ordered nothing', async () => {
  await using world = await startWorld();
  const { enroll } = await startFleet(world);
  expect(await caused(world, await enroll())).toEqual([]);
});

test('an order for one robot, a cancelled one, one that is not due and one that the service made cause nothing for a newcomer', async () => {
  await using world = await startWorld();
  const { make, first, order, enroll } = await startFleet(world);
  const release = async () => (await make.release({ kind: randomUUID() })).id as string;
  await order({ release_id: await release() }, { target_kind: 'robot', target_id: first.robot_id });
  await order({ release_id: await release(), scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
  const cancelled = await order({ release_id: await release() });
  await world.call('POST', `/api/deployments/${cancelled}/cancel`);
  const good = await order({ release_id: await release() });
  await expect.poll(async () => (await orders(world, '?status=pending')).length).toBe(2);
  const second = await enroll();
  expect(await causes(world, second)).toEqual([good]);
  expect(await causes(world, await enroll())).toEqual([good]); // and not the order that the second robot was given
});

test('a robot that moves is ordered what its new fleet has and it lacks', async () => {
  await using world = await startWorld();
  const { make, order, enroll } = await startFleet(world);
  const there = await startFleet(world);
  const [release, other, config] = [await make.release(), await make.release(), await make.config()];
  await order({ release_id: release.id });
  await order({ config_id: config.id });
  await there.order({ config_id: config.id });
  const newRelease = await there.order({ release_id: other.id });
  await hasBegun(world);
  const robot = await enroll();
  await end(world, robot, 'applied');
  await move(world, robot, there.key.fleet_id);
  // The config is the same revision: it is there already.
  const [, , made] = await caused(world, robot);
  expect(made).toMatchObject({ release_id: other.id, caused_by: { kind: 'moved', deployment_id: newRelease } });
  expect(await caused(world, robot)).toHaveLength(3);
  await end(world, robot, 'applied');
  // A change of its name is no move.
  await world.call('PATCH', `/api/robots/${robot}`, { body: { name: 'amr', fleet_id: there.key.fleet_id } });
  expect(await caused(world, robot)).toHaveLength(3);
});

test('what a robot was meant to have and never got is ordered again when it moves; what failed on it, or it still works on, is not', async () => {
  await using world = await startWorld();
  const { make, order, enroll } = await startFleet(world);
  const there = await startFleet(world);
  const release = await make.release();
  await order({ release_id: release.id });
  const meant = await there.order({ release_id: release.id });
  await hasBegun(world);
  const [failed, waiting, cancelled] = [await enroll(), await enroll(), await enroll()];
  await end(world, failed, 'failed');
  await world.db('targets').where({ robot_id: cancelled }).update({ status: 'cancelled', deadline_at: null });
  for (const robot of [failed, waiting, cancelled]) await move(world, robot, there.key.fleet_id);
  expect((await caused(world, cancelled)).map(({ caused_by: cause }) => cause?.deployment_id)).toContain(meant);
  for (const robot of [failed, waiting]) expect(await caused(world, robot)).toHaveLength(1);
});

test('an order for the robot itself goes before those of its fleets, until a later one for its fleet has replaced it', async () => {
  await using world = await startWorld();
  const { make, order, enroll } = await startFleet(world);
  const there = await startFleet(world);
  const [own, ofFleet, later] = [await make.release(), await make.release(), await make.release()];
  const robot = await enroll();
  await order({ release_id: own.id }, { target_kind: 'robot', target_id: robot });
  await there.order({ release_id: ofFleet.id });
  await hasBegun(world);
  await end(world, robot, 'applied');
  await move(world, robot, there.key.fleet_id);
  expect(await caused(world, robot)).toEqual([]);
  // A move never brings back what a later order has replaced.
  await there.order({ release_id: later.id });
  await hasBegun(world);
  await end(world, robot, 'applied');
  const elsewhere = await make.fleet();
  await move(world, robot, elsewhere.id);
  expect(await caused(world, robot)).toEqual([]);
});

test('robots that enroll while an order begins have it, once, however the two fall together', async () => {
  await using world = await startWorld();
  const { make, key, order } = await startFleet(world);
  const releases = await Promise.all(Array.from({ length: 6 }, (_, kind) => make.release({ kind: `kind-${kind}` })));
  const enrolling = Promise.all(Array.from({ length: 60 }, () => make.robot(undefined, key)));
  for (const release of releases) await order({ release_id: release.id });
  const robots = (await enrolling) as { robot_id: string }[];
  await hasBegun(world);
  const { rows } = await world.db.raw<{ rows: { lanes: number; orders: number }[] }>(
    'select count(distinct lane) as lanes, count(*) as orders from targets where robot_id = any(?) group by robot_id',
    [robots.map(({ robot_id: id }) => id)],
  );
  expect(rows).toHaveLength(60);
  expect(rows.filter(({ lanes, orders: all }) => lanes !== 6 || all !== 6)).toEqual([]);
});

test('a retried enrollment orders nothing again', async () => {
  await using world = await startWorld();
  const { make, key, order } = await startFleet(world);
  await order({ release_id: (await make.release()).id });
  await hasBegun(world);
  const nonce = randomUUID();
  const enroll = () => world.call('POST', '/agent/enroll', { token: key.value, body: { nonce } });
  const { robot_id: robot } = (await enroll()).body.data;
  await enroll();
  expect(await caused(world, robot)).toHaveLength(1);
});

test('a robot that is removed takes its open orders along, and the deployment ends', async () => {
  await using world = await startWorld();
  const { make, first, order } = await startFleet(world);
  const id = await order({ release_id: (await make.release()).id });
  await hasBegun(world);
  await world.call('DELETE', `/api/robots/${first.robot_id as string}`);
  const statusNow = async () => (await world.call('GET', `/api/deployments/${id}`)).body.data.status;
  await expect.poll(statusNow).toBe('cancelled');
  const { items } = (await world.call('GET', `/api/deployments/${id}/targets`)).body;
  expect(items).toMatchObject([{ robot_id: first.robot_id, status: 'cancelled', reason: 'robot_removed' }]);
});
