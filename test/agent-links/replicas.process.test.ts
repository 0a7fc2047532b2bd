import { expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { connectAgent, linkedAgent } from '../support/fake-agent.ts';
import { openDatabase } from '../../src/platform/db/index.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

/** Short leases, so that a test sees one run out. */
const quick = { leaseMs: 5_000, renewEveryMs: 200, flushEveryMs: 50 };

test('a link to another replica replaces the one before within moments, by a hint', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  using second = await linkedAgent(other.url, robot.robot_token);
  expect((await first.closed).code).toBe(4409);
  expect(second.socket.readyState).toBe(1);
  // Both see it alike, and the stale end of the first changed nothing.
  for (const each of [world, other]) expect((await robotsOf(each).robot(robot)).online).toBe(true);
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected replaced', 'connected']);
});

test('with no hints at all a replaced link is found out by its next sign of life, which is not stored', async () => {
  await using world = await startIsolatedWorld({ linkLimits: quick });
  await using other = await startIsolatedWorld({ shares: world, linkLimits: quick });
  await world.bus.close();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using first = await linkedAgent(world.url, robot.robot_token);
  using second = await linkedAgent(other.url, robot.robot_token);
  second.send({ type: 'heartbeat', health: { uptime_s: 2 } });
  await expect.poll(async () => (await robots.health(robot)).snapshot).toEqual({ uptime_s: 2 });
  first.send({ type: 'heartbeat', health: { uptime_s: 1 } });
  expect((await first.closed).code).toBe(4409);
  expect(await robots.health(robot)).toMatchObject({ online: true, snapshot: { uptime_s: 2 } });
});

test('a replica that is killed takes its robots offline with its lease, and another one tells their end', async () => {
  await using world = await startIsolatedWorld();
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  await using server = await startServer(replicaBeside(world));
  using agent = await linkedAgent(server.url, robot.robot_token);
  expect((await robots.robot(robot)).online).toBe(true);
  await server.end('SIGKILL');
  const killedAt = performance.now();
  expect((await agent.closed).code).toBe(1006);
  await expect.poll(async () => (await robots.robot(robot)).online, { interval: 200 }).toBe(false);
  expect(performance.now() - killedAt).toBeLessThan(15_000 + promptMs);
  await expect
    .poll(() => robots.story(robot), { interval: 200 })
    .toEqual(['enrolled', 'connected', 'disconnected service_lost']);
  expect(await world.db('robot_links').select('epoch', 'replica_id')).toEqual([{ epoch: 2, replica_id: null }]);
});

test('two replicas that sweep at once end each link of a dead one once', async () => {
  await using world = await startIsolatedWorld({ linkLimits: quick });
  await using other = await startIsolatedWorld({ shares: world, linkLimits: quick });
  expect(other.name).toBe(world.name);
  const robots = robotsOf(world);
  const all = await robots.enrollMany(60);
  const dead = randomUUID();
  await world.db('replicas').insert({ id: dead, lease_until: world.db.raw("now() + interval '5 seconds'") });
  const rows = all.map(({ robot_id: id }) => ({
    org_id: world.orgId,
    robot_id: id,
    epoch: 7,
    replica_id: dead,
    connected_at: world.db.fn.now(),
    last_seen_at: world.db.fn.now(),
    agent_version: 'a',
    boot_id: 'b',
    instance: 'b',
  }));
  await world.db('robot_links').insert(rows);
  expect(
    ((await world.call('GET', '/api/robots')).body.items as { online: boolean }[]).every((each) => each.online),
  ).toBe(true);
  await expect.poll(() => world.db('robot_links').whereNotNull('replica_id').pluck('robot_id')).toEqual([]);
  expect(new Set(await world.db('robot_links').pluck('epoch'))).toEqual(new Set([8]));
  const told = await world.db('timeline_unnumbered').where({ kind: 'disconnected' }).pluck('robot_id');
  expect(told.sort()).toEqual(all.map(({ robot_id: id }) => id).sort());
});

test('a dead replica whose lease was made while the clock of the database was in 2100 loses it, and its robots are offline', async () => {
  await using world = await startIsolatedWorld({ linkLimits: quick });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  const agent = await linkedAgent(world.url, robot.robot_token);
  const dead = randomUUID();
  await world.db('replicas').insert({ id: dead, lease_until: '2100-01-01' });
  agent[Symbol.dispose]();
  await expect.poll(async () => (await robots.robot(robot)).online).toBe(false);
  await world.db('robot_links').update({ replica_id: dead, disconnected_at: null });
  expect((await robots.robot(robot)).online).toBe(true);
  await expect.poll(async () => (await robots.robot(robot)).online).toBe(false);
  await expect.poll(() => world.db('robot_links').pluck('replica_id')).toEqual([null]);
});

test('a link that another replica ended is closed with 1012 at its next sign of life', async () => {
  await using world = await startIsolatedWorld({ linkLimits: quick });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  await world.db('robot_links').update({ epoch: 9, replica_id: null });
  agent.send({ type: 'heartbeat', health: { uptime_s: 1 } });
  expect((await agent.closed).code).toBe(1012);
  expect(await robots.health(robot)).toMatchObject({ online: false });
  expect(await robots.story(robot)).toEqual(['enrolled', 'connected']);
});

test.each(['53100', '58030', '42501'])(
  'the end of a link that the database refuses with %s, as on a full disk, is written once it can be',
  async (code) => {
    await using world = await startIsolatedWorld({ linkLimits: quick });
    const robots = robotsOf(world);
    const robot = await robots.enroll();
    const agent = await linkedAgent(world.url, robot.robot_token);
    await world.db.raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused' using errcode = '${code}'; end $$;
      create trigger refuse before update on robot_links for each row when (new.replica_id is null) execute function refuse();
    `);
    agent[Symbol.dispose]();
    await expect.poll(() => world.lines.some((line) => /ended links? could not be/.test(line))).toBe(true);
    await world.db.raw('drop trigger refuse on robot_links');
    await expect.poll(async () => (await robots.robot(robot)).online).toBe(false);
    expect(await robots.story(robot)).toEqual(['enrolled', 'connected', 'disconnected lost']);
  },
);

test('a link that only the database has is ended, and neither one that is up nor a join in progress', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { ...quick, endUnknownEveryMs: 50 } });
  const robots = robotsOf(world);
  const [unknown, joining, up] = await robots.enrollMany(3);
  if (!unknown || !joining || !up) throw new Error('three robots were enrolled');
  for (const robot of [unknown, joining]) {
    using agent = await linkedAgent(world.url, robot.robot_token);
    agent.socket.close(1000);
    await agent.closed;
  }
  using agent = await linkedAgent(world.url, up.robot_token);
  await expect.poll(() => world.db('robot_links').whereNotNull('replica_id').pluck('robot_id')).toEqual([up.robot_id]);
  const [replica] = (await world.db('replicas').pluck('id')) as string[];
  const links = (robot: Identity) => world.db('robot_links').where({ robot_id: robot.robot_id });
  const early = world.db.raw(`now() - interval '61 seconds'`);
  await links(up).update({ last_seen_at: early });
  await links(joining).update({ replica_id: replica, disconnected_at: null, last_seen_at: world.db.fn.now() });
  await links(unknown).update({ replica_id: replica, disconnected_at: null, last_seen_at: early });
  await expect.poll(async () => (await robots.robot(unknown)).online).toBe(false);
  expect((await robots.story(unknown)).at(-1)).toBe('disconnected service_failed');
  for (const robot of [joining, up]) expect((await robots.robot(robot)).online).toBe(true);
  expect(agent.socket.readyState).toBe(1);
});

test('while the database is away links stay, new ones are told to come later, and the newest snapshot is written after', async () => {
  await using world = await startIsolatedWorld({ linkLimits: quick });
  const robots = robotsOf(world);
  const robot = await robots.enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const admin = openDatabase({ ...world.connection, database: 'postgres' });
  await admin.raw(`alter database ${world.name} allow_connections false`);
  await admin.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [world.name]);
  for (let uptime = 1; uptime <= 5; uptime += 1) agent.send({ type: 'heartbeat', health: { uptime_s: uptime } });
  const tryToLink = () =>
    connectAgent(world.url, robot.robot_token).then(
      (made) => made.socket.terminate(),
      (error: unknown) => error,
    );
  const isLater = { status: 503, retryAfter: expect.stringMatching(/^\d+$/) };
  await expect.poll(tryToLink).toMatchObject(isLater);
  await expect.poll(() => world.lines.some((line) => line.includes('signs of life could not be written'))).toBe(true);
  await expect.poll(() => world.lines.some((line) => line.includes('the lease could not be written'))).toBe(true);
  expect(agent.socket.readyState).toBe(1);
  await admin.raw(`alter database ${world.name} allow_connections true`);
  await admin.destroy();
  await expect
    .poll(async () => (await world.call('GET', `/api/robots/${robot.robot_id}/health`)).body?.data)
    .toMatchObject({ online: true, snapshot: { uptime_s: 5 } });
  const another = await robots.enroll();
  const linkAnother = () =>
    linkedAgent(world.url, another.robot_token).then(
      (made) => made.socket.terminate(),
      (error: unknown) => error,
    );
  await expect.poll(linkAnother).toBeUndefined();
  expect(agent.socket.readyState).toBe(1);
});

test('a lease that waits for a lock too long refuses no new link before it has expired', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { ...quick, leaseMs: 60_000 } });
  const robot = await robotsOf(world).enroll();
  (await linkedAgent(world.url, robot.robot_token)).socket.terminate();
  const lock = await world.db.transaction();
  await lock.raw('lock table replicas in exclusive mode');
  await expect.poll(() => world.lines.some((line) => line.includes('the lease could not be written'))).toBe(true);
  using agent = await connectAgent(world.url, robot.robot_token).finally(() => lock.rollback());
  agent.hello();
  await agent.next('welcome');
});
