import { hash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { robotsOf } from '../../support/robots.ts';
import { cancel, only, startDeploymentWorld, some } from './support.ts';

test('a release goes to every robot of the fleet, and each step of each robot is told once, in order', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(3);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  for (const [step, status] of ['downloading', 'installing', 'verifying', 'applied'].entries())
    for (const robot of robots) {
      const { orderId } = only(orders, robot);
      const digest = status === 'applied' ? { digest: release.sha256 } : {};
      const outcome = await it.report(robot, { orderId, status, ...digest });
      expect(outcome, `step ${step}`).toMatchObject({ kind: 'recorded', ended: status === 'applied' });
    }
  expect((await it.deployment(id)).status).toBe('applied');
  const told = await it.story(id);
  expect(told.slice(0, 2)).toEqual(['scheduled', 'pending']);
  expect(told.slice(2, 5)).toEqual(Array(3).fill('in_progress dispatched'));
  expect(told.at(-2)).toBe('in_progress applied');
  expect(told.at(-1)).toBe('applied applied');
  expect(told).toHaveLength(2 + 3 * 5);
  expect((await it.handOut(robots)).size).toBe(0);
  const [robot] = robots;
  const timeline = await robotsOf(it.world).timeline({ robot_id: robot?.robotId ?? '', robot_token: '' });
  expect(timeline.map(({ kind, details }) => [kind, details['name'], details['status']])).toEqual([
    ['deployment_dispatched', 'r1', undefined],
    ['deployment_ended', 'r1', 'applied'],
  ]);
  expect(await it.world.call('GET', `/api/robots/${robot?.robotId ?? ''}`)).toMatchObject({
    body: { data: { reported: { releases: { file: { release_id: release.id, tag: 'r1', deployment_id: id } } } } },
  });
  await it.check();
});

test('an order carries its lane, its payload with the right digest, and the signature of its one deployment', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const release = await it.release('script');
  const signed = { signature: 'aGFuZA==', key_id: 'k1' };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, signed);
  await it.reaches(id, 'pending');
  const order = only(await it.handOut([robot]), robot);
  expect(order).toMatchObject({
    lane: 'release:script',
    deployments: [id],
    cancel: false,
    signature: 'aGFuZA==',
    keyId: 'k1',
  });
  expect(hash('sha256', order.payload ?? '')).toBe(order.digest);
  expect(JSON.parse(order.payload ?? '')).toEqual({
    release: { id: release.id, tag: 'r1', kind: 'script', artifact_sha256: release.sha256, artifact_size: 3 },
  });
});

test('all waiting config of a robot travels as one document, in order of namespace and key, and one proof applies it all', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(2);
  const [one] = some(robots);
  const wishes = [
    ['speed', 1.5, 'nav'],
    ['a', null, 'nav.b'],
    ['zoom', { x: ['ü"\\', 2] }, 'nav'],
    ['a', false, 'default'],
  ] as const;
  const ids: string[] = [];
  for (const [key, value, namespace] of wishes) {
    ids.push(await it.deploy({ configId: await it.config(key, value, namespace) }, { fleet: it.fleetId }));
  }
  for (const id of ids) await it.reaches(id, 'pending');
  const orders = await it.handOut(robots);
  const order = only(orders, one);
  expect(order.lane).toBe('config');
  expect([...order.deployments].sort()).toEqual([...ids].sort());
  expect(hash('sha256', order.payload ?? '')).toBe(order.digest);
  expect(JSON.parse(order.payload ?? '').config).toEqual([
    { namespace: 'default', key: 'a', revision: 1, value: false },
    { namespace: 'nav', key: 'speed', revision: 1, value: 1.5 },
    { namespace: 'nav', key: 'zoom', revision: 1, value: { x: ['ü"\\', 2] } },
    { namespace: 'nav.b', key: 'a', revision: 1, value: null },
  ]);
  for (const robot of robots) {
    const { orderId, digest } = only(orders, robot);
    await it.report(robot, { orderId, status: 'applied', digest });
  }
  for (const id of ids) expect((await it.deployment(id)).status).toBe('applied');
  const { body } = await it.world.call('GET', `/api/robots/${one.robotId}`);
  expect(Object.keys(body.data.reported.configs).sort()).toEqual(['default/a', 'nav.b/a', 'nav/speed', 'nav/zoom']);
  await it.check();
});

test('a config order carries the keys that it sets and no others: the robot keeps what it was given before', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(1);
  const [robot] = some(robots);
  for (const [key, revision] of [
    ['speed', 1],
    ['zoom', 1],
    ['speed', 2],
  ] as const) {
    const id = await it.deploy({ configId: await it.config(key, revision) }, { robot: robot.robotId });
    await it.reaches(id, 'pending');
    const { orderId, digest, payload = '' } = only(await it.handOut(robots), robot);
    expect(JSON.parse(payload)).toEqual({ config: [{ namespace: 'default', key, revision, value: revision }] });
    await it.report(robot, { orderId, status: 'applied', digest });
    expect((await it.deployment(id)).status).toBe('applied');
  }
  const { body } = await it.world.call('GET', `/api/robots/${robot.robotId}`);
  expect(Object.keys(body.data.reported.configs).sort()).toEqual(['default/speed', 'default/zoom']);
});

test('a robot has one order a lane: of the next the newest goes out when the lane is free, and the older one is superseded', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const place = { fleet: it.fleetId };
  const releases = [await it.release(), await it.release(), await it.release()] as const;
  const first = await it.deploy({ releaseId: releases[0].id }, place);
  await it.reaches(first, 'pending');
  const order = only(await it.handOut([robot]), robot);
  const second = await it.deploy({ releaseId: releases[1].id }, place);
  await it.reaches(second, 'pending');
  const third = await it.deploy({ releaseId: releases[2].id }, place);
  await it.reaches(second, 'cancelled');
  expect(await it.story(second)).toEqual(['scheduled', 'pending', 'cancelled cancelled superseded']);
  expect(only(await it.handOut([robot]), robot).orderId).toBe(order.orderId);
  // Another lane is free.
  const other = await it.deploy({ releaseId: (await it.release('script')).id }, place);
  await it.reaches(other, 'pending');
  expect((await it.handOut([robot])).get(robot.robotId)).toHaveLength(2);
  await it.report(robot, { orderId: order.orderId, status: 'failed', reason: 'install_failed', message: 'no room' });
  const lanes = (await it.handOut([robot])).get(robot.robotId) ?? [];
  expect(
    lanes
      .map(({ deployments }) => deployments)
      .flat()
      .sort(),
  ).toEqual([third, other].sort());
  expect(await it.target(first, robot)).toMatchObject({
    status: 'failed',
    reason: 'install_failed',
    message: 'no room',
  });
  await expect.poll(async () => (await it.deployment(third)).is_superseding).toBe(false);
  await it.check();
});

test('ranks follow the order in which deployments begin', async () => {
  await using it = await startDeploymentWorld();
  await it.robots(1);
  const release = await it.release();
  const later = await it.deploy(
    { releaseId: release.id },
    { fleet: it.fleetId },
    { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() },
  );
  const now = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(now, 'pending');
  await it.fallDue(later);
  await it.reaches(now, 'cancelled'); // superseded once the other one began
  expect((await it.deployment(later)).rank).toBeGreaterThan((await it.deployment(now)).rank ?? Infinity);
});

test('the other keys of a config order whose one key is cancelled wait again, and go out without it', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const [speed, zoom] = [
    await it.deploy({ configId: await it.config('speed', 1) }, { fleet: it.fleetId }),
    await it.deploy({ configId: await it.config('zoom', 2) }, { fleet: it.fleetId }),
  ];
  await it.reaches(speed, 'pending');
  await it.reaches(zoom, 'pending');
  const order = only(await it.handOut([robot]), robot);
  await cancel(it, speed);
  await expect.poll(async () => (await it.target(speed, robot))?.status).toBe('cancelling');
  expect(only(await it.orderPort.openOrders([robot]), robot)).toMatchObject({ orderId: order.orderId, cancel: true });
  expect(await it.report(robot, { orderId: order.orderId, status: 'cancelled' })).toMatchObject({
    kind: 'recorded',
    ended: true,
  });
  expect(await it.target(speed, robot)).toMatchObject({ status: 'cancelled', reason: null });
  expect(await it.target(zoom, robot)).toMatchObject({ status: 'waiting', order_id: null });
  const next = only(await it.handOut([robot]), robot);
  expect(next.orderId).not.toBe(order.orderId);
  expect(JSON.parse(next.payload ?? '')).toEqual({
    config: [{ namespace: 'default', key: 'zoom', revision: 1, value: 2 }],
  });
  await it.report(robot, { orderId: next.orderId, status: 'applied', digest: next.digest });
  expect([(await it.deployment(speed)).status, (await it.deployment(zoom)).status]).toEqual(['cancelled', 'applied']);
  await it.check();
});

test('what was withdrawn behind a newer order of the same key is superseded', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const speedId = await it.config('speed', 1);
  const old = await it.deploy({ configId: speedId }, { fleet: it.fleetId });
  const zoom = await it.deploy({ configId: await it.config('zoom', 2) }, { fleet: it.fleetId });
  await it.reaches(old, 'pending');
  await it.reaches(zoom, 'pending');
  const order = only(await it.handOut([robot]), robot);
  await it.config('speed', 3);
  const newer = await it.deploy({ configId: speedId }, { fleet: it.fleetId });
  await it.reaches(newer, 'pending');
  await expect.poll(async () => (await it.deployment(newer)).is_superseding).toBe(false);
  await cancel(it, zoom);
  await expect.poll(async () => (await it.target(zoom, robot))?.status).toBe('cancelling');
  await it.report(robot, { orderId: order.orderId, status: 'cancelled' });
  await it.reaches(old, 'cancelled');
  expect((await it.target(old, robot))?.reason).toBe('superseded');
  await it.reaches(zoom, 'cancelled');
  const next = only(await it.handOut([robot]), robot);
  expect(JSON.parse(next.payload ?? '').config).toEqual([
    { namespace: 'default', key: 'speed', revision: 2, value: 3 },
  ]);
  await it.check();
});

test('a payload over 16 KiB is fetched, not sent', async () => {
  await using it = await startDeploymentWorld();
  const [robot] = some(await it.robots(1));
  const id = await it.deploy({ configId: await it.config('map', 'x'.repeat(17_000)) }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const order = only(await it.handOut([robot]), robot);
  expect(order.payload).toBeUndefined();
  expect(await it.db('payloads').where({ digest: order.digest }).first()).toBeDefined();
});

test('a replica learns which of its robots a deployment concerns, and which it has to send to again', async () => {
  await using it = await startDeploymentWorld();
  const robots = await it.robots(4);
  const [working, ended, deaf, fourth] = some(robots);
  await it.db('robot_links').where({ robot_id: deaf.robotId }).update({ takes_orders: false });
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId });
  await it.reaches(id, 'pending');
  const names = (found: { robotId: string }[]) => found.map(({ robotId }) => robotId).sort();
  const all = names(robots).filter((robotId) => robotId !== deaf.robotId);
  const ask = { orgId: it.world.orgId, deploymentId: id };
  expect(names(await it.orderPort.concerned(it.replicaId, ask))).toEqual(all);
  expect(await it.orderPort.concerned(randomUUID(), ask)).toEqual([]);
  expect(names(await it.orderPort.overdue(it.replicaId))).toEqual(all); // they wait and their lane is free
  const orders = await it.handOut(robots.slice(0, 2));
  await it.report(ended, { orderId: only(orders, ended).orderId, status: 'applied', digest: release.sha256 });
  const { robotId: last } = fourth;
  const { robotId: first } = working;
  expect(names(await it.orderPort.concerned(it.replicaId, ask))).toEqual([first, last].sort());
  expect(names(await it.orderPort.overdue(it.replicaId))).toEqual([last]);
  const silent = it.db.raw("now() - interval '61 seconds'");
  await it.db('orders').where({ org_id: it.world.orgId }).update({ sent_at: silent, touched_at: silent });
  await it.report(working, { orderId: only(orders, working).orderId, status: 'downloading' });
  expect(names(await it.orderPort.overdue(it.replicaId))).toEqual([last]); // it was heard of
  await it.db('orders').where({ org_id: it.world.orgId }).update({ sent_at: silent, touched_at: silent });
  expect(names(await it.orderPort.overdue(it.replicaId))).toEqual([first, last].sort());
  expect(names(await it.orderPort.overdue(it.replicaId))).toEqual([last]); // it was sent
});
