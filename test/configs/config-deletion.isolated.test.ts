import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { startWorld, type World } from '../support/world.ts';

/** For what the engine does by itself. */

const remove = (world: World, id: string, query = '') => world.call('DELETE', `/api/configs/${id}${query}`);
const deploy = (world: World, body: object) =>
  world.call('POST', '/api/configs/deployments', { body, headers: { 'Idempotency-Key': randomUUID() } });
const statusOf = async (world: World, id: string): Promise<string> =>
  (await world.call('GET', `/api/configs/deployments/${id}`)).body.data.status;
const hasStarted = (world: World, id: string) => expect.poll(() => statusOf(world, id)).toBe('pending');

/** Revisions that the service gave a robot by itself, in order. */
const givenTo = async (world: World, robotId: string): Promise<number[]> =>
  (await world.call('GET', `/api/configs/deployments?target_id=${robotId}&cause_kind=enrolled`)).body.items.map(
    ({ revision }: { revision: number }) => revision,
  );

/** A fleet with one robot, and a config entry. */
async function startFleet(world: World) {
  const make = factories(world);
  const key = await make.key();
  const robot = await make.robot('first', key);
  const config = await make.config();
  return {
    make,
    config,
    robot,
    target: { target_kind: 'fleet', target_id: key.fleet_id as string },
    enroll: async () => (await make.robot(undefined, key)).robot_id as string,
  };
}

/** Ends the targets of the robot as applied. */
async function apply(world: World, robotId: string): Promise<void> {
  await world.db('targets').where({ robot_id: robotId, status: 'waiting' }).update({ status: 'dispatched' });
  await world
    .db('targets')
    .where({ robot_id: robotId, status: 'dispatched' })
    .update({ status: 'applied', deadline_at: null });
  await world.db('deployments').where({ status: 'pending' }).update({ status: 'in_progress' });
  await world.db('deployments').where({ status: 'in_progress' }).update({ status: 'applied', ended_at: new Date() });
}

test('a deleted entry leaves the list, and its revisions and deployments stay readable', async () => {
  await using world = await startWorld();
  const { config, robot, target } = await startFleet(world);
  const { data: made } = (await deploy(world, { config_id: config.id, ...target })).body;
  await hasStarted(world, made.id);
  await apply(world, robot.robot_id);
  const deleted = await remove(world, config.id);
  expect([deleted.status, deleted.body.data]).toEqual([200, config]);
  expect((await world.call('GET', '/api/configs')).body.items).toEqual([]);
  expect((await world.call('GET', '/api/configs?deleted=false')).body.items).toEqual([]);
  expect((await world.call('GET', '/api/configs?deleted=true')).body.items).toEqual([
    { ...config, deleted_at: expect.any(String) },
  ]);
  expect((await world.call('GET', `/api/config-revisions?config_id=${config.id}`)).body.items).toMatchObject([
    { revision: 1, value: 1.2 },
  ]);
  expect((await world.call('GET', `/api/configs/deployments?config_id=${config.id}`)).body.items).toMatchObject([
    { id: made.id, revision: 1, key: 'nav.max_speed', status: 'applied' },
  ]);
  expect((await remove(world, config.id)).status).toBe(404);
  const { items } = (await world.call('GET', '/api/audit?operation=deleteConfig')).body;
  expect(items).toMatchObject([
    {
      object_kind: 'config',
      object_id: config.id,
      before: { namespace: 'default', key: 'nav.max_speed', revision: 1 },
    },
  ]);
});

test('a deleted entry is not deployed, and setting its key restores it with the next revision', async () => {
  await using world = await startWorld();
  const { make, config, target } = await startFleet(world);
  await remove(world, config.id);
  for (const revision of [{}, { revision: 1 }]) {
    const refused = await deploy(world, { config_id: config.id, ...target, ...revision });
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'default/nav.max_speed was deleted; set it again to deploy it',
    ]);
  }
  const restored = await make.config({ value: 2 });
  expect(restored).toMatchObject({ id: config.id, revision: 2, value: 2, created_at: config.created_at });
  expect((await world.call('GET', '/api/configs')).body.items).toEqual([restored]);
  expect((await world.call('GET', '/api/configs?deleted=true')).body.items).toEqual([]);
  expect((await deploy(world, { config_id: config.id, ...target, revision: 1 })).body.data.revision).toBe(1);
});

test('a new robot does not get what was deployed before the deletion, also after the key was set again', async () => {
  await using world = await startWorld();
  const { make, config, robot, target, enroll } = await startFleet(world);
  const before = (await deploy(world, { config_id: config.id, ...target })).body.data.id;
  await hasStarted(world, before);
  expect(await givenTo(world, await enroll())).toEqual([1]);
  await apply(world, robot.robot_id);
  await remove(world, config.id);
  expect(await givenTo(world, await enroll())).toEqual([]);
  await make.config({ value: 2 });
  expect(await givenTo(world, await enroll())).toEqual([]);
  // An older revision that is deployed after the deletion counts again.
  await hasStarted(world, (await deploy(world, { config_id: config.id, ...target, revision: 1 })).body.data.id);
  expect(await givenTo(world, await enroll())).toEqual([1]);
});

test('an entry with active deployments is kept, and the message names them', async () => {
  await using world = await startWorld();
  const { config, target, robot } = await startFleet(world);
  const started = (await deploy(world, { config_id: config.id, ...target })).body.data.id;
  const scheduled = (
    await deploy(world, {
      config_id: config.id,
      ...target,
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
  ).body.data.id;
  await hasStarted(world, started);
  const refused = await remove(world, config.id);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    `2 deployments of default/nav.max_speed are active: ${started}, ${scheduled}; cancel them first, or delete with cancel_deployments=true`,
  ]);
  expect((await world.call('GET', '/api/configs')).body.items).toEqual([config]);

  expect((await remove(world, config.id, '?cancel_deployments=true')).status).toBe(200);
  expect(await statusOf(world, scheduled)).toBe('cancelled');
  await expect.poll(() => statusOf(world, started)).toBe('cancelled');
  const { items } = (await world.call('GET', `/api/configs/deployments/${started}/targets`)).body;
  expect(items).toMatchObject([{ robot_id: robot.robot_id, status: 'cancelled' }]);
  const events = (await world.call('GET', `/api/configs/deployments/${scheduled}/events`)).body.items;
  expect(events).toMatchObject([
    { seq: 1, status: 'scheduled' },
    { seq: 2, status: 'cancelled' },
  ]);
  expect((await world.call('GET', '/api/audit?operation=deleteConfig')).body.items).toMatchObject([
    { after: { cancelled_deployments: 2 } },
  ]);
});

test('of deletions and deployments at the same instant, none leaves an active deployment of a deleted entry', async () => {
  await using world = await startWorld();
  const { make, target } = await startFleet(world);
  for (let round = 0; round < 10; round += 1) {
    const { id } = await make.config({ key: `k-${round}` });
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => deploy(world, { config_id: id, ...target })),
      remove(world, id, '?cancel_deployments=true'),
      remove(world, id),
    ]);
    for (const { status } of answers) expect([200, 201, 404, 409]).toContain(status);
    const { items: deletedNow } = (await world.call('GET', `/api/configs?deleted=true&key=k-${round}`)).body;
    expect(deletedNow).toHaveLength(1);
    await expect
      .poll(async () => (await world.call('GET', `/api/configs/deployments?config_id=${id}`)).body.items)
      .toSatisfy((items: { status: string }[]) => items.every(({ status }) => status === 'cancelled'));
  }
});

test('an entry that many callers set and delete at once never repeats a revision', async () => {
  await using world = await startWorld();
  const { make, config } = await startFleet(world);
  const sets = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      if (index % 3 === 0) await remove(world, config.id);
      return make.config({ value: index });
    }),
  );
  const revisions = sets.map(({ revision }) => revision as number).sort((one, other) => one - other);
  expect(revisions).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
  expect(new Set(sets.map(({ id }) => id as string))).toEqual(new Set([config.id]));
});

test('a replica of the previous release that sets a deleted key restores the entry', async () => {
  await using world = await startWorld();
  const { config } = await startFleet(world);
  await remove(world, config.id);
  await world.db('configs').where({ id: config.id }).update({ revision: 2, value: '3', updated_at: new Date() });
  expect((await world.call('GET', '/api/configs')).body.items).toMatchObject([
    { id: config.id, revision: 2, value: 3 },
  ]);
});

test('an older revision is deployed where the request says so, and new robots get that one', async () => {
  await using world = await startWorld();
  const { make, config, target, enroll } = await startFleet(world);
  for (const value of [2, 3]) await make.config({ value });
  const key = randomUUID();
  const wish = { config_id: config.id, ...target, revision: 2 };
  const send = (body: object) =>
    world.call('POST', '/api/configs/deployments', { body, headers: { 'Idempotency-Key': key } });
  await hasStarted(world, (await deploy(world, { config_id: config.id, ...target })).body.data.id);
  const made = await send(wish);
  expect([made.status, made.body.data.revision]).toEqual([201, 2]);
  expect((await send(wish)).body).toEqual(made.body);
  for (const other of [
    { ...wish, revision: 3 },
    { config_id: config.id, ...target },
  ])
    expect((await send(other)).body.error.message).toBe('this Idempotency-Key was used with another payload');
  await hasStarted(world, made.body.data.id);
  expect(await givenTo(world, await enroll())).toEqual([2]);
  const [{ payload_digest: digest }] = await world.db('deployments').where({ id: made.body.data.id });
  const [{ body }] = await world.db('payloads').where({ digest });
  expect(body).toBe('{"namespace":"default","key":"nav.max_speed","revision":2,"value":2}');
});

test('a revision that does not exist is refused with those that do', async () => {
  await using world = await startWorld();
  const { make, config, target } = await startFleet(world);
  await make.config({ value: 2 });
  const refused = await deploy(world, { config_id: config.id, ...target, revision: 3 });
  expect([refused.status, refused.body.error.message]).toEqual([
    404,
    'default/nav.max_speed has no revision 3; its newest is 2',
  ]);
  for (const revision of [0, -1, 1.5, '1', 2 ** 53])
    expect((await deploy(world, { config_id: config.id, ...target, revision })).status, String(revision)).toBe(400);
});

test('another org cannot delete an entry', async () => {
  await using world = await startWorld();
  const { make, config } = await startFleet(world);
  const { token } = await make.org();
  expect((await world.call('DELETE', `/api/configs/${config.id}`, { token })).status).toBe(404);
  expect((await world.call('DELETE', '/api/configs/deployments')).status).toBe(405);
  expect((await remove(world, config.id, '?cancel_deployments=yes')).status).toBe(400);
});
