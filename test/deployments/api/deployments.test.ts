import { hash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Hint } from '../../../src/platform/bus/bus.ts';
import { factories } from '../../support/factories.ts';
import { startWorld, type World } from '../../support/world.ts';

interface Item {
  id: string;
  robot_id: string;
  status: string;
  waiting_on?: { code: string };
}

/** For what the engine does by itself. */
const nextYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString();
const read = async (world: World, path: string) => (await world.call('GET', path)).body;
const statusOf = async (world: World, id: string): Promise<string> =>
  (await read(world, `/api/deployments/${id}`)).data.status;
const hasBegun = (world: World, id: string) => expect.poll(() => statusOf(world, id)).toBe('pending');

/** A fleet of robots of which none is connected, and a release. */
async function startFleet(world: World, robots: number) {
  const make = factories(world);
  const key = await make.key();
  const ids: string[] = [];
  for (let made = 0; made < robots; made += 1) ids.push((await make.robot(`amr-${made}`, key)).robot_id);
  const release = await make.release();
  const toFleet = { target_kind: 'fleet', target_id: key.fleet_id as string };
  return { make, release, robots: ids.sort(), toFleet, order: { release_id: release.id as string, ...toFleet } };
}

test('an order reads back as it was answered, and is written with its payload, its counts and its first event', async () => {
  await using world = await startWorld();
  const { make, release, order } = await startFleet(world, 0);
  const wish = { ...order, active_minutes: 5, scheduled_at: nextYear(), signature: 'c2ln', key_id: 'k-1' };
  const made = await make.deployment(wish);
  expect(made).toMatchObject({ ...wish, status: 'scheduled', counts: { total: 0, cancelled: 0 } });
  expect(await read(world, `/api/deployments/${made.id}`)).toEqual({ data: made });
  expect(await read(world, '/api/deployments')).toEqual({ items: [made] });
  const events = (await read(world, `/api/deployments/${made.id}/events`)).items;
  expect(events).toEqual([expect.objectContaining({ seq: 1, status: 'scheduled' })]);
  expect(await read(world, `/api/deployments/${made.id}/targets`)).toEqual({ items: [] });

  const { id, tag, kind, artifact_sha256, artifact_size } = release;
  const payload = JSON.stringify({ release: { id, tag, kind, artifact_sha256, artifact_size } });
  expect(await world.db('payloads').where({ org_id: world.orgId })).toEqual([
    { org_id: world.orgId, digest: hash('sha256', payload), body: payload, created_at: expect.any(Date) as Date },
  ]);
  const [row] = await world.db('deployments').where({ org_id: world.orgId });
  expect(row).toMatchObject({
    lane: `release:${kind}`,
    payload_key: `release:${kind}`,
    payload_digest: hash('sha256', payload),
    proof: artifact_sha256,
  });
});

test('a config deployment pins the newest revision, byte for byte, and keeps it', async () => {
  await using world = await startWorld();
  const { make, toFleet } = await startFleet(world, 0);
  await make.config({ key: 'nav "fast"', value: 1 });
  const config = await make.config({ key: 'nav "fast"', value: { b: [1.5, 'ü'], a: null } });
  const made = await make.deployment({ config_id: config.id, ...toFleet, scheduled_at: nextYear() });
  await make.config({ key: 'nav "fast"', value: 3 });
  expect(made).toMatchObject({ config_id: config.id, revision: 2, namespace: 'default', key: 'nav "fast"' });
  expect(await read(world, `/api/configs/deployments/${made.id}`)).toEqual({ data: made });
  const payload = String.raw`{"namespace":"default","key":"nav \"fast\"","revision":2,"value":{"b":[1.5,"ü"],"a":null}}`;
  expect(await world.db('payloads').where({ org_id: world.orgId }).pluck('body')).toEqual([payload]);
  expect(
    await world
      .db('deployments')
      .where({ org_id: world.orgId })
      .select('lane', 'payload_key', 'payload_digest', 'proof'),
  ).toEqual([
    {
      lane: 'config',
      payload_key: 'default/nav "fast"',
      payload_digest: hash('sha256', payload),
      proof: hash('sha256', payload),
    },
  ]);
});

test('neither face shows what belongs to the other', async () => {
  await using world = await startWorld();
  const { make, toFleet, order } = await startFleet(world, 0);
  const config = await make.config();
  const ofRelease = await make.deployment({ ...order, scheduled_at: nextYear() });
  const ofConfig = await make.deployment({ config_id: config.id, ...toFleet, scheduled_at: nextYear() });
  const ids = async (path: string) => (await read(world, path)).items.map(({ id }: Item) => id);
  expect(await ids('/api/deployments')).toEqual([ofRelease.id]);
  expect(await ids('/api/configs/deployments')).toEqual([ofConfig.id]);
  for (const [face, id] of [
    ['/api/deployments', ofConfig.id],
    ['/api/configs/deployments', ofRelease.id],
  ]) {
    for (const part of ['', '/targets', '/events'])
      expect(await read(world, `${face}/${id}${part}`)).toEqual({
        error: { code: 'not_found', message: 'deployment not found' },
      });
    expect((await world.call('POST', `${face}/${id}/cancel`)).status).toBe(404);
  }
});

test('lists take filters, and their pages join', async () => {
  await using world = await startWorld();
  const { make, toFleet, order } = await startFleet(world, 1);
  const other = await make.release();
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1)
    made.push((await make.deployment({ ...order, scheduled_at: nextYear() })).id);
  const third = await make.deployment({ release_id: other.id, ...toFleet, scheduled_at: nextYear() });
  await world.call('POST', `/api/deployments/${made[0] ?? ''}/cancel`);
  const ids = async (query: string) => (await read(world, `/api/deployments${query}`)).items.map(({ id }: Item) => id);
  expect(await ids('?status=cancelled')).toEqual(made.slice(0, 1));
  expect(await ids(`?release_id=${other.id as string}`)).toEqual([third.id]);
  expect(await ids(`?target_id=${order.target_id}&status=scheduled`)).toEqual([...made.slice(1), third.id]);
  expect(await ids(`?target_id=${randomUUID()}`)).toEqual([]);
  const first = await read(world, '/api/deployments?limit=4');
  const rest = await read(world, `/api/deployments?limit=4&cursor=${first.next_cursor as string}`);
  expect([...first.items, ...rest.items].map(({ id }: Item) => id)).toEqual([...made, third.id]);
});

test('what an order is for must exist, and half a signature is none', async () => {
  await using world = await startWorld();
  const { make, order, toFleet, robots } = await startFleet(world, 1);
  const config = await make.config();
  const refusals: [path: string, body: object, status: number, message: string][] = [
    ['/api/deployments', { ...order, release_id: randomUUID() }, 404, 'release not found'],
    ['/api/deployments', { ...order, release_id: config.id }, 404, 'release not found'],
    ['/api/deployments', { ...order, target_id: randomUUID() }, 404, 'fleet not found'],
    ['/api/deployments', { ...order, target_id: robots[0] }, 404, 'fleet not found'],
    ['/api/deployments', { ...order, target_kind: 'robot' }, 404, 'robot not found'],
    ['/api/configs/deployments', { ...toFleet, config_id: order.release_id }, 404, 'config not found'],
    ['/api/deployments', { ...order, signature: 'c2ln' }, 400, 'body: signature and key_id must be sent together'],
    ['/api/deployments', { ...order, key_id: 'k' }, 400, 'body: signature and key_id must be sent together'],
    ['/api/deployments', { ...order, active_minutes: 0 }, 400, 'body.active_minutes: must be 1 or more'],
    ['/api/deployments', { ...order, active_minutes: 10_081 }, 400, 'body.active_minutes: must be 10080 or less'],
  ];
  for (const [path, body, status, message] of refusals) {
    const answer = await world.call('POST', path, { body, headers: { 'Idempotency-Key': randomUUID() } });
    expect([answer.status, answer.body.error?.message]).toEqual([status, message]);
  }
  expect(await world.count('deployments')).toBe(0);
  expect(await world.count('idempotency_keys')).toBe(0);
});

test('the robots of an order are listed by their ids, page by page, with what each waits for', async () => {
  await using world = await startWorld();
  const { make, order, robots } = await startFleet(world, 5);
  const { id } = await make.deployment(order);
  await hasBegun(world, id);
  const path = `/api/deployments/${id}/targets`;
  const all = (await read(world, path)).items as Item[];
  expect(all.map(({ robot_id: robot }) => robot)).toEqual(robots);
  for (const item of all) expect(item).toMatchObject({ status: 'waiting', waiting_on: { code: 'offline' } });
  const first = await read(world, `${path}?limit=3`);
  const rest = await read(world, `${path}?limit=3&cursor=${first.next_cursor as string}`);
  expect([...first.items, ...rest.items]).toEqual(all);
  expect(rest).not.toHaveProperty('next_cursor');
  expect((await read(world, `${path}?status=applied`)).items).toEqual([]);
  expect((await read(world, `${path}?robot_id=${String(robots[1])}&limit=1`)).items).toEqual([all[1]]);
  for (const nobody of [id, 'amr-1']) expect(await read(world, `${path}?robot_id=${nobody}`)).toEqual({ items: [] });
  expect((await world.call('GET', `${path}?limit=3&cursor=${btoa('7')}`)).status).toBe(400);
});

test('events are the latest, oldest first, or those behind a number', async () => {
  await using world = await startWorld();
  const { make, order } = await startFleet(world, 0);
  const { id } = await make.deployment({ ...order, scheduled_at: nextYear() });
  await world.db.raw(
    `insert into deployment_events (org_id, deployment_id, seq, status) select ?, ?, n, 'in_progress' from generate_series(2, 1500) n`,
    [world.orgId, id],
  );
  await world.db('deployment_counts').where({ deployment_id: id }).update({ event_seq: 1_500 });
  const seqs = async (query: string) =>
    (await read(world, `/api/deployments/${id as string}/events${query}`)).items.map(({ seq }: { seq: number }) => seq);
  const from = (first: number, count: number) => Array.from({ length: count }, (_each, index) => first + index);
  expect(await seqs('')).toEqual(from(501, 1_000));
  expect(await seqs('?limit=2')).toEqual([1_499, 1_500]);
  expect(await seqs('?after=0&limit=3')).toEqual([1, 2, 3]);
  expect(await seqs('?after=1400')).toEqual(from(1_401, 100));
  expect(await seqs('?after=1500')).toEqual([]);
});

/** Lets a robot seem connected to a replica that is alive, for a day. */
async function connect(world: World, robotId: string, takesOrders = true): Promise<void> {
  const replica = randomUUID();
  await world.db.raw("insert into replicas (id, lease_until) values (?, now() + interval '1 day')", [replica]);
  await world.db('robot_links').insert({
    org_id: world.orgId,
    robot_id: robotId,
    epoch: 1,
    replica_id: replica,
    connected_at: new Date(),
    last_seen_at: new Date(),
    agent_version: '1',
    boot_id: 'b',
    instance: 'i',
    takes_orders: takesOrders,
  });
}

test('what an order and its robots wait for follows what is there: nobody, an old agent, an earlier order, a hand-out, an answer', async () => {
  await using world = await startWorld();
  const { make, order, robots } = await startFleet(world, 2);
  const [robot = '', other = ''] = robots;
  const { id } = await make.deployment(order);
  await hasBegun(world, id);
  const waits = async () => {
    const { items } = await read(world, `/api/deployments/${id as string}/targets`);
    const { data } = await read(world, `/api/deployments/${id as string}`);
    return [data.waiting_on?.code, ...items.map((item: Item) => item.waiting_on?.code)];
  };
  const update = (change: object) => world.db('targets').where({ deployment_id: id, robot_id: robot }).update(change);
  const count = (change: object) => world.db('deployment_counts').where({ deployment_id: id }).update(change);
  expect(await waits()).toEqual(['robots_offline', 'offline', 'offline']);
  await connect(world, other, false);
  expect(await waits()).toEqual(['robots_offline', 'offline', 'agent_too_old']);
  await connect(world, robot);
  expect(await waits()).toEqual(['dispatch', 'dispatch', 'agent_too_old']);
  await world.db('orders').insert({
    org_id: world.orgId,
    id: randomUUID(),
    robot_id: robot,
    lane: 'release:container_image',
    payload_digest: 'x',
    proof: 'x',
  });
  expect(await waits()).toEqual(['earlier_orders', 'earlier_order', 'agent_too_old']);
  await update({ status: 'dispatched', dispatched_at: new Date() });
  await count({ waiting: 1, dispatched: 1 });
  expect(await waits()).toEqual(['robots_working', 'acknowledgement', 'agent_too_old']);
  await update({ status: 'installing' });
  expect(await waits()).toEqual(['robots_working', 'robot_working', 'agent_too_old']);
  await update({ status: 'cancelling' });
  expect(await waits()).toEqual(['robots_working', 'cancel_confirmation', 'agent_too_old']);
  // Nobody works on it while its robot is away, whatever it said last.
  await world.db('robot_links').where({ robot_id: robot }).update({ replica_id: null });
  expect(await waits()).toEqual(['robots_offline', 'offline', 'agent_too_old']);
  await update({ status: 'cancelled', deadline_at: null });
  await count({ dispatched: 0, cancelled: 1 });
  expect(await waits()).toEqual(['robots_offline', undefined, 'agent_too_old']);
});

test('an order that is not due is cancelled at once; cancelling again changes nothing, and an order that has ended says so', async () => {
  await using world = await startWorld();
  const { make, order } = await startFleet(world, 0);
  const { id } = await make.deployment({ ...order, scheduled_at: nextYear() });
  const cancel = () => world.call('POST', `/api/deployments/${id as string}/cancel`);
  const answer = await cancel();
  expect(answer.body.data).toMatchObject({ id, status: 'cancelled', ended_at: expect.any(String) });
  expect(answer.body.data).not.toHaveProperty('waiting_on');
  expect((await read(world, `/api/deployments/${id as string}/events`)).items).toMatchObject([
    { seq: 1, status: 'scheduled' },
    { seq: 2, status: 'cancelled' },
  ]);
  expect([(await cancel()).status, (await cancel()).body.error]).toEqual([
    409,
    { code: 'conflict', message: 'the deployment has ended: cancelled' },
  ]);
  const { items } = await read(world, '/api/audit?operation=cancelDeployment');
  expect(items).toMatchObject([{ object_id: id, before: { status: 'scheduled' }, after: { status: 'cancelled' } }]);
});

test('cancelling is on the audit log once, and is announced only where a robot may have to know', async () => {
  await using world = await startWorld();
  const { make, order } = await startFleet(world, 1);
  const hints: Hint[] = [];
  world.bus.subscribe({ hint: (hint) => void hints.push(hint), reset: () => undefined });
  const { id: later } = await make.deployment({ ...order, scheduled_at: nextYear() });
  await world.call('POST', `/api/deployments/${later as string}/cancel`);
  const { id } = await make.deployment(order);
  await hasBegun(world, id);
  await world.db('targets').where({ deployment_id: id }).update({ status: 'dispatched' });
  await world.db('deployment_counts').where({ deployment_id: id }).update({ waiting: 0, dispatched: 1 });
  const cancel = () => world.call('POST', `/api/deployments/${id as string}/cancel`);
  const [first, second] = [await cancel(), await cancel()];
  expect([first.body.data.status, second.status, second.body.data.status]).toEqual(['cancelling', 200, 'cancelling']);
  const { items } = await read(world, '/api/audit?operation=cancelDeployment');
  expect(items.map(({ object_id: of }: { object_id: string }) => of)).toEqual([later, id]);
  const told = () => hints.flatMap((hint) => (hint.topic === 'orders_changed' ? [hint.deploymentId] : []));
  await expect.poll(told).toContain(id);
  expect(told()).not.toContain(later);
});

test('an order that has begun is cancelled for every robot that waits, and its events end with it', async () => {
  await using world = await startWorld();
  const { make, order } = await startFleet(world, 3);
  const { id } = await make.deployment(order);
  await hasBegun(world, id);
  const answers = await Promise.all([1, 2, 3].map(() => world.call('POST', `/api/deployments/${id as string}/cancel`)));
  for (const { status, body } of answers) expect([200, 409], JSON.stringify(body)).toContain(status);
  await expect.poll(() => statusOf(world, id)).toBe('cancelled');
  const { data } = await read(world, `/api/deployments/${id as string}`);
  expect(data.counts).toMatchObject({ total: 3, waiting: 0, cancelled: 3 });
  expect((await read(world, `/api/deployments/${id as string}/events`)).items.at(-1).status).toBe('cancelled');
});

test('a robot reads the payload of an open order of its own, and nothing else', async () => {
  await using world = await startWorld();
  const make = factories(world);
  const [robot, other] = [await make.robot(), await make.robot()];
  const body = '{"config":[{"namespace":"default","key":"k","revision":1,"value":"ü 1e400"}]}';
  const digest = hash('sha256', body);
  const orderId = randomUUID();
  await world.db('payloads').insert({ org_id: world.orgId, digest, body });
  await world.db('orders').insert({
    org_id: world.orgId,
    id: orderId,
    robot_id: robot.robot_id,
    lane: 'config',
    payload_digest: digest,
    proof: digest,
  });
  const ask = (token: string, what = digest) => world.call('GET', `/agent/payloads/${what}`, { token });
  expect((await ask(robot.robot_token)).body).toEqual({ data: { digest, payload: body } });
  const missing = { error: { code: 'not_found', message: 'payload not found' } };
  expect((await ask(other.robot_token)).body).toEqual(missing);
  expect((await ask(robot.robot_token, hash('sha256', 'other'))).body).toEqual(missing);
  expect((await ask(robot.robot_token, digest.toUpperCase())).status).toBe(400);
  expect((await ask(world.orgToken)).status).toBe(403);
  await world.db('orders').where({ id: orderId }).update({ ended_at: new Date() });
  expect((await ask(robot.robot_token)).body).toEqual(missing);
});
