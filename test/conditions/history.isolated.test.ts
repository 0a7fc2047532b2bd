import { expect, test } from 'vitest';
import { conditionService } from '../../src/conditions/service.ts';
import { signedInHome } from '../support/cli.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const minuteMs = 60_000;
const pointsOf = async (world: World) => (await world.call('GET', '/api/health-history')).body.data.points;
const count = (world: World, settledSeconds = 0) => conditionService(world.db).history.count(settledSeconds);

/** As if the last count was `minutes` ago. */
const lastCount = (world: World, minutes: number) =>
  world.db('health_history_progress').update({ at: new Date(Date.now() - minutes * minuteMs) });

test('robots are counted once in an interval, whatever number of replicas try, also in an org without robots', async () => {
  await using world = await startIsolatedWorld();
  const done = await Promise.all(Array.from({ length: 8 }, () => count(world)));
  expect(done.filter(Boolean)).toHaveLength(1);
  expect(await count(world)).toBe(false);
  const empty = { total: 0, online: 0, healthy: 0, degraded: 0, unhealthy: 0, unknown: 0 };
  expect(await pointsOf(world)).toEqual([{ ...empty, at: expect.stringMatching(/T\d\d:\d[05]:00\.000Z$/) }]);
});

test('the client lists the points, and says that there are none yet', async () => {
  await using world = await startIsolatedWorld();
  await using home = await signedInHome(world);
  const list = (...flags: string[]) => home.cli(['health-history', ...flags]);
  expect(await list()).toMatchObject({ code: 0, stdout: '' });
  await robotsOf(world).enroll();
  await count(world);
  expect(await list('--fields', 'total,online,unknown')).toMatchObject({ code: 0, stdout: '1\t0\t1\n' });
});

test('an interval has the numbers that the summary has at this moment, without retired robots', async () => {
  await using world = await startIsolatedWorld();
  const { enroll } = robotsOf(world);
  const robots = [await enroll(), await enroll(), await enroll(), await enroll()];
  const [well, low] = robots;
  if (!well || !low) throw new Error('two robots are enrolled');
  using first = await linkedAgent(world.url, well.robot_token);
  using second = await linkedAgent(world.url, low.robot_token);
  first.send({ type: 'heartbeat', health: { battery: { percent: 80, charging: false } } });
  second.send({ type: 'heartbeat', health: { battery: { percent: 3, charging: false } } });
  await world
    .db('robots')
    .where({ id: robots[3]?.robot_id })
    .update({ retired_at: new Date(), replaced_by: well.robot_id });
  const summary = async () => (await world.call('GET', '/api/health-summary')).body.data.robots;
  await expect.poll(summary).toMatchObject({ healthy: 1, unhealthy: 1 });
  expect(await count(world)).toBe(true);
  const [point] = await pointsOf(world);
  expect(await summary()).toMatchObject({
    ...Object.fromEntries(Object.entries(point).filter(([name]) => name !== 'at')),
    total: 3,
    online: 2,
  });
});

test('nothing is counted until a replica is up for a minute: robots still connect', async () => {
  await using world = await startIsolatedWorld();
  expect(await count(world, 60)).toBe(false);
  await world.db('replicas').update({ started_at: new Date(Date.now() - 2 * minuteMs) });
  expect(await count(world, 60)).toBe(true);
});

test('a clock that was set back does not end the counting, and its intervals of the future are not read', async () => {
  await using world = await startIsolatedWorld();
  await world.db('replicas').update({ started_at: new Date(Date.now() + 60 * minuteMs) });
  await lastCount(world, -60);
  await world.db('health_history').insert({
    org_id: world.orgId,
    slot: 0,
    at: new Date(Date.now() + 60 * minuteMs),
    total: 1,
    online: 1,
    healthy: 1,
    degraded: 0,
    unhealthy: 0,
  });
  expect(await count(world, 60)).toBe(true);
  expect(await pointsOf(world)).toHaveLength(1);
});

test('a count that fails leaves no trace, and the next one counts', async () => {
  await using world = await startIsolatedWorld();
  await world.db.raw('alter table health_history rename to gone');
  await expect(count(world)).rejects.toThrow('health_history');
  await world.db.raw('alter table gone rename to health_history');
  expect(await count(world)).toBe(true);
  expect(await pointsOf(world)).toHaveLength(1);
});

test('a day replaces the day before, so an org has 288 rows at most', async () => {
  await using world = await startIsolatedWorld();
  await world.db.raw(
    `insert into health_history
     select ?, slot, date_bin('5 minutes', now(), 'epoch') - make_interval(hours => 25), 1, 1, 1, 0, 0
       from generate_series(0, 287) as slot`,
    [world.orgId],
  );
  expect(await pointsOf(world)).toEqual([]);
  for (const minutes of [5, 10]) {
    await lastCount(world, minutes);
    expect(await count(world)).toBe(true);
  }
  expect(await pointsOf(world)).toHaveLength(1);
  expect(await world.count('health_history')).toBe(288);
});
