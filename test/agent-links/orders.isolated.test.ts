import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { serverFrames } from '../../generated/frames.js';
import { openDatabase } from '../../src/platform/db/index.ts';
import { factories } from '../support/factories.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

const emptyList = { type: 'desired', hash: '4f53cda18c2baa0c', items: [] };
const speed = { key: 'nav.max_speed', value: 1.2 };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Rows of everything that an order or a report writes. */
const rowsOf = (world: World) =>
  Promise.all(
    ['orders', 'targets', 'deployment_events', 'robot_reports', 'timeline'].map((table) => world.count(table)),
  );

test('an agent that takes orders gets its list at once, an empty one too; one that does not take any gets none', async () => {
  await using world = await startIsolatedWorld();
  const [taker, other] = await robotsOf(world).enrollMany(2);
  using agent = await orderAgent(world.url, taker?.robot_token ?? '');
  expect(await agent.desired()).toEqual(emptyList);
  using silent = await linkedAgent(world.url, other?.robot_token ?? '');
  await operatorOf(world).deployConfig(other?.robot_id ?? '', speed);
  await operatorOf(world).deployConfig(taker?.robot_id ?? '', speed);
  expect(await agent.order()).toMatchObject({ lane: 'config' });
  expect(silent.frames.map((frame) => frame['type'])).toEqual(['welcome']);
  expect(await world.db('robot_links').orderBy('takes_orders').pluck('takes_orders')).toEqual([false, true]);
});

test('an order reaches the robot promptly, each report is acknowledged, and the list is empty once it has ended', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  expect(await agent.desired()).toEqual(emptyList);
  const operator = operatorOf(world);
  const orderedAt = performance.now();
  const deploymentId = await operator.deployConfig(robot.robot_id, speed);
  const list = await agent.desired();
  expect(performance.now() - orderedAt).toBeLessThan(promptMs);
  expect(serverFrames.desired(list)).toBe(true);
  const payload = '{"config":[{"namespace":"default","key":"nav.max_speed","revision":1,"value":1.2}]}';
  const digest = sha256(payload);
  const [order] = list.items;
  expect(list.items).toEqual([
    {
      order_id: order?.order_id,
      lane: 'config',
      sequence: order?.sequence,
      deployments: [deploymentId],
      digest,
      payload,
    },
  ]);
  expect(list.hash).toBe(sha256(JSON.stringify([[order?.order_id, false, digest]])).slice(0, 16));
  const order_id = order?.order_id ?? '';
  expect(await agent.report({ order_id, status: 'verifying' })).toBe(false);
  expect(await operator.deployment()).toMatchObject({ status: 'in_progress', counts: { verifying: 1 } });
  expect(await agent.report({ order_id, status: 'applied', digest })).toBe(true);
  expect(await agent.desired()).toEqual(emptyList);
  expect(await operator.deployment()).toMatchObject({ status: 'applied' });
  expect(await robotsOf(world).robot(robot)).toMatchObject({ reported: { configs: { 'default/nav.max_speed': {} } } });
});

test('what an agent holds when it comes is recorded and acknowledged before it gets its list', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  const operator = operatorOf(world);
  using first = await orderAgent(world.url, robot.robot_token);
  await operator.deployConfig(robot.robot_id, speed);
  const { order_id, digest } = await first.order();
  first.socket.terminate();
  await first.closed;
  const unknown = randomUUID();
  using second = await orderAgent(world.url, robot.robot_token, [
    { order_id: unknown, status: 'failed' },
    { order_id, status: 'applied', digest },
  ]);
  expect(await second.desired()).toEqual(emptyList);
  expect(second.frames.slice(1)).toEqual([
    { type: 'report_ack', order_id: unknown, status: 'failed', ended: true },
    { type: 'report_ack', order_id, status: 'applied', ended: true, result: { status: 'applied' } },
    emptyList,
  ]);
  expect(await operator.deployment()).toMatchObject({ status: 'applied' });
});

test('the first frames of a link come in the order of the contract: welcome, rotate, acknowledgements, the list', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  expect((await world.call('POST', `/api/robots/${robot.robot_id}/rotate-token`)).status).toBe(200);
  const holding = [randomUUID(), randomUUID()].map((order_id) => ({ order_id, status: 'failed' }));
  using agent = await orderAgent(world.url, robot.robot_token, holding);
  expect(await agent.desired()).toEqual(emptyList);
  const types = agent.frames.map((frame) => frame['type']);
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    'welcome',
    'rotate',
    'report_ack',
    'desired',
  ]);
});

test('a list goes out again to an agent that names another one, or none is heard of for long', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { resendAfterMs: 4_000, overdueEveryMs: 1_000 } });
  const robot = await robotsOf(world).enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  expect(await agent.desired()).toEqual(emptyList);
  await operatorOf(world).deployConfig(robot.robot_id, speed);
  const list = await agent.desired();
  const lists = () => agent.frames.filter((frame) => frame['type'] === 'desired').length;
  // One that crossed the list says nothing.
  agent.send({ type: 'heartbeat', desired_hash: emptyList.hash });
  await agent.report({ order_id: list.items[0]?.order_id ?? '', status: 'verifying' });
  expect(lists()).toBe(2);
  const again = agent.desired();
  await expect
    .poll(async () => {
      agent.send({ type: 'heartbeat', desired_hash: list.hash });
      agent.send({ type: 'heartbeat', desired_hash: emptyList.hash });
      return Promise.race([again, Promise.resolve()]);
    })
    .toEqual(list);
  expect(lists()).toBe(3);
  const backdated = world.db.raw("now() - interval '61 seconds'");
  await world.db('orders').update({ sent_at: backdated, touched_at: backdated });
  expect(await agent.desired()).toEqual(list);
  expect(lists()).toBe(4);
});

test('a robot gets what it missed the hint of', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  expect(await agent.desired()).toEqual(emptyList);
  const operator = operatorOf(world);
  // The connection that hints come by breaks, and is not made anew; the others stay.
  const admin = openDatabase({ ...world.connection, database: 'postgres' });
  await admin.raw(`alter database ${world.name} allow_connections false`);
  await admin.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = ? and application_name like '% hints'",
    [world.name],
  );
  await expect.poll(() => world.bus.up).toBe(false);
  await operator.deployConfig(robot.robot_id, speed);
  await expect.poll(operator.deployment).toMatchObject({ status: 'pending', counts: { waiting: 1 } });
  await admin.raw(`alter database ${world.name} allow_connections true`);
  await admin.destroy();
  const list = agent.desired();
  await expect.poll(() => Promise.race([list, Promise.resolve()])).toMatchObject({ items: [{ lane: 'config' }] });
});

test('what a robot reports of an order that is not its own, of another org or of nobody, changes nothing and is over for it', async () => {
  await using world = await startIsolatedWorld();
  const [robot, other] = await robotsOf(world).enrollMany(2);
  const operator = operatorOf(world);
  using owner = await orderAgent(world.url, robot?.robot_token ?? '');
  await operator.deployConfig(robot?.robot_id ?? '', speed);
  const { order_id, digest } = await owner.order();
  const stranger = await robotOfAnotherOrg(world);
  const rows = await rowsOf(world);
  for (const token of [other?.robot_token ?? '', stranger]) {
    using thief = await orderAgent(world.url, token, [{ order_id, status: 'applied', digest }]);
    expect(await thief.next('report_ack')).toMatchObject({ order_id, ended: true });
    for (const status of ['failed', 'cancelled', 'rolled_back'])
      expect(await thief.report({ order_id, status })).toBe(true);
  }
  const [connects] = await world.db('timeline_unnumbered').where({ kind: 'connected' }).count<{ count: number }[]>();
  expect(connects?.count).toBe(3);
  expect(await operator.deployment()).toMatchObject({ status: 'in_progress', counts: { dispatched: 1, total: 1 } });
  expect((await rowsOf(world)).slice(0, 4)).toEqual(rows.slice(0, 4));
  expect(await owner.report({ order_id, status: 'applied', digest })).toBe(true);
});

/** The token of a robot of an org that was made just now. */
async function robotOfAnotherOrg(world: World): Promise<string> {
  const asAdmin = { token: world.adminToken };
  const { id } = (await world.call('POST', '/api/admin/orgs', { ...asAdmin, body: { name: 'Other' } })).body.data;
  const { token } = (await world.call('POST', `/api/admin/orgs/${id}/approve`, asAdmin)).body.data;
  const call: World['call'] = (method, path, options) => world.call(method, path, { token, ...options });
  return ((await factories({ ...world, call }).robot('amr-9')) as unknown as { robot_token: string }).robot_token;
}

test('500 reports of nonsense cost no row, and the link stays', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  await agent.desired();
  const rows = await rowsOf(world);
  const odd = ['', '\u0000', '\ud800', "'; drop table orders; --", '💥'.repeat(16)];
  const nonsense = Array.from({ length: 500 }, (_, index) => ({
    order_id: index % 2 === 0 ? randomUUID() : `${index}${odd[index % odd.length]}`,
    status: odd[index % odd.length],
    digest: odd[(index + 1) % odd.length],
    reason: odd[(index + 2) % odd.length],
    message: (odd[(index + 3) % odd.length] ?? '').repeat(100),
  }));
  for (const each of nonsense) agent.send({ type: 'report', ...each });
  for (const { order_id, status } of nonsense)
    expect(await agent.next('report_ack')).toEqual({ type: 'report_ack', order_id, status, ended: true });
  expect(await rowsOf(world)).toEqual(rows);
  expect(agent.socket.readyState).toBe(1);
});

test('a payload of more than 16 KiB is fetched, by the robot of the order alone', async () => {
  await using world = await startIsolatedWorld();
  const [robot, other] = await robotsOf(world).enrollMany(2);
  using agent = await orderAgent(world.url, robot?.robot_token ?? '');
  const operator = operatorOf(world);
  await operator.deployConfig(robot?.robot_id ?? '', { key: 'map', value: 'm'.repeat(20_000) });
  const large = await agent.order();
  expect(large.payload).toBeUndefined();
  const fetchAs = (who = robot) =>
    world.call('GET', `/agent/payloads/${large.digest}`, { token: who?.robot_token ?? '' });
  expect(sha256((await fetchAs()).body.data.payload)).toBe(large.digest);
  expect((await fetchAs(other)).status).toBe(404);
  await agent.report({ order_id: large.order_id, status: 'applied', digest: large.digest });
  await operator.deployConfig(robot?.robot_id ?? '', { key: 'route', value: 'r'.repeat(16_000) });
  expect((await agent.order()).payload?.length).toBeGreaterThan(16_000);
});

test('a robot that reads nothing of what it is answered is cut off', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { maxFramesPerSecond: 100_000 } });
  const robot = await robotsOf(world).enroll();
  using agent = await orderAgent(world.url, robot.robot_token);
  await agent.desired();
  agent.socket.pause();
  const report = JSON.stringify({ type: 'report', order_id: 'x'.repeat(64), status: 's'.repeat(32) });
  await expect
    .poll(
      async () => {
        if (agent.socket.bufferedAmount < 1_000_000)
          for (let sent = 0; sent < 2_000; sent += 1) agent.socket.send(report);
        return robotsOf(world).story(robot);
      },
      { interval: 50 },
    )
    .toEqual(['enrolled', 'connected', 'disconnected refused']);
});

test('reports that arrive while the database is away wait for it, and each becomes an event in its order', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { renewEveryMs: 200 } });
  const robot = await robotsOf(world).enroll();
  const operator = operatorOf(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  await operator.deployConfig(robot.robot_id, speed);
  const { order_id, digest } = await agent.order();
  const admin = openDatabase({ ...world.connection, database: 'postgres' });
  await admin.raw(`alter database ${world.name} allow_connections false`);
  await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [world.name]);
  for (const status of ['downloading', 'installing', 'verifying']) agent.send({ type: 'report', order_id, status });
  agent.send({ type: 'report', order_id, status: 'applied', digest });
  await expect.poll(() => world.lines.join()).toContain('reports wait for the database');
  await admin.raw(`alter database ${world.name} allow_connections true`);
  await admin.destroy();
  const acknowledged = [];
  for (let count = 0; count < 4; count += 1) acknowledged.push((await agent.next('report_ack'))['status']);
  expect(acknowledged).toEqual(['downloading', 'installing', 'verifying', 'applied']);
  expect(await operator.deployment()).toMatchObject({ status: 'applied' });
  const events = world.db('deployment_events').whereNotNull('robot_id').orderBy('seq');
  expect(await events.pluck('target_status')).toEqual([
    'dispatched',
    'downloading',
    'installing',
    'verifying',
    'applied',
  ]);
});
