import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startIsolatedWorld, startWorld } from '../support/world.ts';
import { agentOf, healthOf, ruleOf } from './support.ts';

test('conditions stay while the robot is offline, and the built-in rule for that adds its own', async () => {
  await using world = await startIsolatedWorld();
  const { enroll } = robotsOf(world);
  const amr = await enroll();
  const agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { estop: true } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
  const rule = (await world.call('GET', '/api/condition-rules')).body.items.find(
    ({ name }: { name: string }) => name === 'offline',
  );
  await world.call('PATCH', `/api/condition-rules/${rule.id}`, { body: { expression: 'offline > 2s' } });
  agent.socket.close(1000);
  await agent.closed;
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop', 'offline']);
  using back = await agentOf(world, amr);
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
  back.send({ type: 'heartbeat', health: { estop: false } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
});

test('a robot that went offline while the clock of the database was in 2100 is offline from now on, and not unstable', async () => {
  await using world = await startIsolatedWorld();
  await ruleOf(world, { name: 'missing', expression: 'offline > 1s', severity: 'degraded' });
  await ruleOf(world, { name: 'restless', expression: 'reconnects > 5', severity: 'degraded' });
  const amr = await robotsOf(world).enroll();
  const agent = await agentOf(world, amr);
  agent[Symbol.dispose]();
  await expect.poll(() => world.db('robot_links').pluck('replica_id')).toEqual([null]);
  const marks = { disconnected_at: '2100-01-01', last_seen_at: '2100-01-01', told_since: '2100-01-01', told: 41 };
  await world.db('robot_links').update(marks);
  await expect.poll(() => healthOf(world, amr), { timeout: 20_000 }).toEqual(['degraded', 'missing']);
});

test('a robot that never connected is offline since it was enrolled', async () => {
  await using world = await startIsolatedWorld();
  await ruleOf(world, { name: 'missing', expression: 'offline > 1s', severity: 'degraded' });
  const amr = await robotsOf(world).enroll();
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'missing']);
});

test('a rule with `for` begins when its time is over without another value, also after the robot went offline', async () => {
  await using world = await startIsolatedWorld();
  const { enroll } = robotsOf(world);
  const [online, offline] = [await enroll('online'), await enroll('offline')];
  await ruleOf(world, { name: 'waits', expression: 'cpu > 30', for: '2s', severity: 'degraded' });
  using agent = await agentOf(world, online);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 40 } } });
  {
    using gone = await agentOf(world, offline);
    gone.send({ type: 'heartbeat', health: { cpu: { percent: 40 } } });
    await expect.poll(() => healthOf(world, offline)).toEqual(['healthy']);
  }
  expect(await healthOf(world, online)).toEqual(['healthy']);
  await expect
    .poll(async () => {
      agent.send({ type: 'heartbeat' });
      return healthOf(world, online);
    })
    .toEqual(['degraded', 'waits']);
  await expect.poll(() => healthOf(world, offline), { timeout: 20_000 }).toEqual(['degraded', 'waits']);
});

test('maintenance that is over by itself ends, and a robot that joins the fleet meanwhile is covered', async () => {
  await using world = await startIsolatedWorld();
  const { robot } = robotsOf(world);
  const key = await factories(world).key();
  const { data } = (
    await world.call('POST', '/api/maintenance-windows', {
      body: { target_kind: 'fleet', target_id: key.fleet_id, hours: 6 / 3_600, reason: 'Move' },
    })
  ).body;
  const amr = (await factories(world).robot('late', key)) as Identity;
  await expect.poll(async () => (await robot(amr)).maintenance?.id).toBe(data.id);
  await expect.poll(async () => (await robot(amr)).maintenance, { timeout: 15_000 }).toBeUndefined();
  expect((await world.call('GET', '/api/maintenance-windows?active=true')).body.items).toEqual([]);
  expect((await world.call('GET', '/api/maintenance-windows?active=false')).body.items).toMatchObject([
    { id: data.id },
  ]);
});

test('conditions of a robot are listed with the unhealthy ones first', async () => {
  await using world = await startWorld();
  const { enroll, robot } = robotsOf(world);
  const amr = await enroll();
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 60 } } });
  await ruleOf(world, { name: 'a-warm', expression: 'cpu > 50', severity: 'degraded' });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'a-warm']);
  await ruleOf(world, { name: 'b-hot', expression: 'cpu > 55', severity: 'unhealthy' });
  await expect.poll(() => healthOf(world, amr)).toHaveLength(3);
  expect((await robot(amr)).conditions.map(({ name }: { name: string }) => name)).toEqual(['b-hot', 'a-warm']);
});

test('two replicas agree: the one without the link changes rules and labels, the one with it evaluates', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const amr = await robotsOf(world).enroll();
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 40 } } });
  await expect.poll(() => healthOf(other, amr)).toEqual(['healthy']);
  const rule = await ruleOf(other, { name: 'warm', expression: 'cpu > 50', severity: 'degraded' });
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 60 } } });
  await expect.poll(() => healthOf(other, amr)).toEqual(['degraded', 'warm']);
  await other.call('PATCH', `/api/condition-rules/${rule.id}`, { body: { expression: 'cpu > 70' } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 80 } } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'warm']);
});
