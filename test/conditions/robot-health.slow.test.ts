import { expect, test } from 'vitest';
import { factories } from '../support/factories.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld, type World } from '../support/world.ts';
import { agentOf, healthOf, ruleOf } from './support.ts';

const discharged = { battery: { percent: 3, charging: false } };
const well = { battery: { percent: 80, charging: false } };

const listed = async (world: World, query: string): Promise<string[]> => {
  const { status, body, text } = await world.call('GET', `/api/robots?${query}`);
  expect(status, text).toBe(200);
  return body.items.map(({ name }: { name: string }) => name).sort();
};

test('a robot is unknown before its first snapshot, then healthy, and unhealthy with the reasons and their time', async () => {
  await using world = await startWorld();
  const { enroll, robot, health, timeline } = robotsOf(world);
  const amr = await enroll();
  expect(await healthOf(world, amr)).toEqual(['unknown']);
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: well });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  agent.send({ type: 'heartbeat', health: { ...discharged, estop: true } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'battery-critical', 'emergency-stop']);
  const found = await robot(amr);
  const condition = found.conditions.find(({ name }: { name: string }) => name === 'battery-critical');
  expect(condition).toMatchObject({ severity: 'unhealthy', message: 'battery 3 % (< 10 %), not charging' });
  expect(Date.now() - Date.parse(condition.since)).toBeLessThan(10_000);
  expect(found.health_since).toBeDefined();
  expect(await health(amr)).toMatchObject({ health_status: 'unhealthy', conditions: found.conditions });
  agent.send({ type: 'heartbeat', health: { ...well, estop: false } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  expect(
    (await timeline(amr)).filter(({ kind }) => kind.startsWith('condition')).map(({ message }) => message),
  ).toEqual(
    expect.arrayContaining([
      'emergency-stop (unhealthy): estop',
      'battery-critical (unhealthy): battery 3 % (< 10 %), not charging',
      'emergency-stop ended',
      'battery-critical ended',
    ]),
  );
});

test('a new rule applies to robots that sent their values before, also while they are offline, and its end ends its conditions', async () => {
  await using world = await startWorld();
  const { enroll } = robotsOf(world);
  const [online, offline] = [await enroll('online'), await enroll('offline')];
  using agent = await agentOf(world, online);
  {
    using gone = await agentOf(world, offline);
    for (const each of [agent, gone]) each.send({ type: 'heartbeat', health: { cpu: { percent: 40 } } });
    await expect.poll(() => healthOf(world, offline)).toEqual(['healthy']);
  }
  await expect.poll(() => healthOf(world, offline)).toEqual(['unknown']);
  const rule = await ruleOf(world, { name: 'warm', expression: 'cpu > 30', severity: 'degraded' });
  for (const each of [online, offline]) await expect.poll(() => healthOf(world, each)).toEqual(['degraded', 'warm']);
  const path = `/api/condition-rules/${rule.id}`;
  await world.call('PATCH', path, { body: { severity: 'unhealthy', name: 'hot' } });
  for (const each of [online, offline]) await expect.poll(() => healthOf(world, each)).toEqual(['unhealthy', 'hot']);
  await world.call('PATCH', path, { body: { enabled: false } });
  await expect.poll(() => healthOf(world, online)).toEqual(['healthy']);
  await world.call('PATCH', path, { body: { enabled: true } });
  await expect.poll(() => healthOf(world, offline)).toEqual(['unhealthy', 'hot']);
  expect((await world.call('DELETE', path)).status).toBe(200);
  await expect.poll(() => healthOf(world, offline)).toEqual(['unknown']);
});

test('labels and fleets decide which rules apply, from the moment they change', async () => {
  await using world = await startWorld();
  const { enroll, robot } = robotsOf(world);
  const amr = await enroll();
  const { site_id: siteId } = await robot(amr);
  const other = await factories(world).fleet(siteId, 'canaries');
  await ruleOf(world, {
    name: 'canary',
    scope: { kind: 'label', selector: 'tier=canary,floor=2' },
    expression: 'cpu > 30',
    severity: 'degraded',
  });
  await ruleOf(world, {
    name: 'moved',
    scope: { kind: 'fleet', id: other.id },
    expression: 'cpu > 30',
    severity: 'degraded',
  });
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 40 } } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  const change = (body: object) => world.call('PATCH', `/api/robots/${amr.robot_id}`, { body });
  await change({ labels: { tier: 'canary', floor: '2' } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'canary']);
  await change({ labels: { tier: 'canary' }, fleet_id: other.id });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'moved']);
  // Later values are judged by the new labels too.
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 10 } } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['healthy']);
  agent.send({ type: 'heartbeat', health: { cpu: { percent: 50 } } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'moved']);
});

test('maintenance silences conditions of a robot, its fleet or its site until it ends, and keeps evaluating them', async () => {
  await using world = await startWorld();
  const { enroll, robot, story } = robotsOf(world);
  const amr = await enroll();
  const { site_id: siteId, fleet_id: fleetId } = await robot(amr);
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { estop: true } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
  const targets = [
    ['robot', amr.robot_id],
    ['fleet', fleetId],
    ['site', siteId],
  ] as const;
  for (const [kind, id] of targets) {
    const { body } = await world.call('POST', '/api/maintenance-windows', {
      body: { target_kind: kind, target_id: id, hours: 1, reason: 'New battery' },
    });
    await expect.poll(() => healthOf(world, amr)).toEqual(['healthy', 'emergency-stop']);
    expect((await robot(amr)).maintenance).toMatchObject({
      id: body.data.id,
      reason: 'New battery',
      until: body.data.ends_at,
    });
    expect(await listed(world, 'condition=emergency-stop')).toEqual([]);
    const ended = await world.call('POST', `/api/maintenance-windows/${body.data.id}/end`);
    expect(ended.body.data.ended_at).toBeDefined();
    await expect.poll(() => healthOf(world, amr)).toEqual(['unhealthy', 'emergency-stop']);
    expect((await world.call('POST', `/api/maintenance-windows/${body.data.id}/end`)).body).toEqual(ended.body);
  }
  expect((await story(amr)).filter((entry) => entry.startsWith('maintenance'))).toHaveLength(6);
});

test('robots are found by health, condition, label, release, part of a name, and by several of these together', async () => {
  await using world = await startWorld();
  const { enroll } = robotsOf(world);
  const [weak, fine, silent] = [await enroll('AMR weak'), await enroll('amr-fine'), await enroll('other')];
  using weakAgent = await agentOf(world, weak);
  using fineAgent = await agentOf(world, fine);
  weakAgent.send({ type: 'heartbeat', health: discharged });
  fineAgent.send({ type: 'heartbeat', health: well });
  await world.call('PATCH', `/api/robots/${weak.robot_id}`, { body: { labels: { tier: 'canary', floor: '2' } } });
  await world.call('PATCH', `/api/robots/${silent.robot_id}`, { body: { labels: { tier: 'canary' } } });
  await expect.poll(() => listed(world, 'health_status=unhealthy')).toEqual(['AMR weak']);
  await expect.poll(() => listed(world, 'health_status=healthy')).toEqual(['amr-fine']);
  expect(await listed(world, 'health_status=unknown')).toEqual(['other']);
  expect(await listed(world, 'health_status=degraded')).toEqual([]);
  expect(await listed(world, 'condition=Battery-Critical')).toEqual(['AMR weak']);
  expect(await listed(world, 'condition=nonsense')).toEqual([]);
  expect(await listed(world, 'label=tier%3Dcanary')).toEqual(['AMR weak', 'other']);
  expect(await listed(world, 'label=tier%3Dcanary,floor%3D2')).toEqual(['AMR weak']);
  expect(await listed(world, 'q=amr')).toEqual(['AMR weak', 'amr-fine']);
  expect(await listed(world, 'q=%25')).toEqual([]);
  expect(await listed(world, 'q=amr&label=tier%3Dcanary&health_status=unhealthy')).toEqual(['AMR weak']);
  expect(await listed(world, 'release_id=nonsense')).toEqual([]);
  expect(await listed(world, 'health_status=unknown&limit=1')).toEqual(['other']);
});

test('the summary counts robots by health in total, by site and by fleet, and by condition', async () => {
  await using world = await startWorld();
  const { enroll, robot } = robotsOf(world);
  const [weak, fine] = [await enroll('weak'), await enroll('fine')];
  using weakAgent = await agentOf(world, weak);
  using fineAgent = await agentOf(world, fine);
  weakAgent.send({ type: 'heartbeat', health: { ...discharged, estop: true } });
  fineAgent.send({ type: 'heartbeat', health: well });
  await expect.poll(() => healthOf(world, weak)).toHaveLength(3);
  await expect.poll(() => healthOf(world, fine)).toEqual(['healthy']);
  await enroll('silent');
  const { fleet_id: fleetId } = await robot(weak);
  await world.call('POST', '/api/maintenance-windows', {
    body: { target_kind: 'robot', target_id: fine.robot_id, hours: 1, reason: 'Test' },
  });
  const summary = async () => (await world.call('GET', '/api/health-summary')).body.data;
  const counts = { total: 3, online: 2, healthy: 1, degraded: 0, unhealthy: 1, unknown: 1, maintenance: 1 };
  await expect.poll(async () => (await summary()).robots).toEqual(counts);
  const { fleets, sites, conditions } = await summary();
  expect(fleets.find(({ fleet_id: id }: { fleet_id: string }) => id === fleetId).counts).toMatchObject({
    unhealthy: 1,
  });
  for (const places of [fleets, sites])
    for (const name of ['total', 'online', 'healthy', 'unknown', 'maintenance'] as const)
      expect(
        places.reduce((sum: number, each: { counts: Record<string, number> }) => sum + (each.counts[name] ?? 0), 0),
      ).toBe(counts[name]);
  expect(conditions.map(({ name, robots }: { name: string; robots: number }) => [name, robots])).toEqual([
    ['battery-critical', 1],
    ['emergency-stop', 1],
  ]);
});

test('a robot that sends 10,000 values gets its conditions, and a text of a robot cannot break a status', async () => {
  await using world = await startWorld();
  const amr = await robotsOf(world).enroll();
  await ruleOf(world, { name: 'odd', expression: 'mission != idle', severity: 'degraded' });
  using agent = await agentOf(world, amr);
  agent.send({ type: 'heartbeat', health: { mission: { state: 'a\u0000b\ud800"\\' } } });
  await expect.poll(() => healthOf(world, amr)).toEqual(['degraded', 'odd']);
});
