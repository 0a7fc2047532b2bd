import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openStream } from '../support/dial-back.ts';
import { linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const setStreams = (world: World, most: number) =>
  world.call('PUT', `/api/admin/orgs/${world.orgId}/quotas`, { token: world.adminToken, body: { live_streams: most } });
const used = async (world: World) => (await world.call('GET', '/api/org/quotas')).body.data.used.live_streams as number;
const isFull = {
  status: 429,
  retryAfter: '10',
  message: expect.stringMatching(/the org has 2 open live streams, as many/),
};

async function linkedRobot(world: World) {
  const { robot_id: id, robot_token: token } = await robotsOf(world).enroll('amr-1');
  const link = await linkedAgent(world.url, token);
  return { id, [Symbol.dispose]: () => link.socket.terminate() };
}

test('live streams of an org beyond its quota are refused on every replica, until one is closed', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  using robot = await linkedRobot(world);
  const open = (at: World) => openStream(`${at.url}/api/robots/${robot.id}/logs/ws`, { token: world.orgToken });
  await setStreams(world, 2);
  using first = await open(world);
  using second = await open(other);
  await expect.poll(() => used(world)).toBe(2);
  await expect(open(world)).rejects.toMatchObject(isFull);
  await expect(open(other)).rejects.toMatchObject(isFull);
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  expect(metrics).toContain('fleet_quota_refusals_total{quota="live_streams"} 1');
  second.socket.close(1000);
  await expect.poll(() => used(world)).toBe(1);
  using third = await open(world);
  expect([first.socket.readyState, third.socket.readyState]).toEqual([1, 1]);
});

test('of streams that open at once on a replica, the quota admits no more than its limit', async () => {
  await using world = await startIsolatedWorld();
  using robot = await linkedRobot(world);
  await setStreams(world, 3);
  const crowd = await Promise.allSettled(
    Array.from({ length: 12 }, () =>
      openStream(`${world.url}/api/robots/${robot.id}/logs/ws`, { token: world.orgToken }),
    ),
  );
  const opened = crowd.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  await expect.poll(() => opened.filter(({ socket }) => socket.readyState === 1).length).toBe(3);
  const refused = opened.filter(({ socket }) => socket.readyState !== 1);
  expect((await Promise.all(refused.map(({ closed }) => closed))).every(({ code }) => code === 4429)).toBe(true);
  for (const { socket } of opened) socket.terminate();
});

test('neither a replica that stops nor one that crashed leaves streams behind in the count', async () => {
  await using world = await startIsolatedWorld();
  using robot = await linkedRobot(world);
  const [crashed, forgotten] = [randomUUID(), randomUUID()];
  await world.db('replicas').insert({ id: crashed, lease_until: new Date(Date.now() - 60_000) });
  await world
    .db('org_streams')
    .insert([crashed, forgotten].map((id) => ({ org_id: world.orgId, replica_id: id, streams: 9 })));
  expect(await used(world)).toBe(0);
  {
    await using other = await startIsolatedWorld({ shares: world });
    using stream = await openStream(`${other.url}/api/robots/${robot.id}/logs/ws`, { token: world.orgToken });
    expect(stream.socket.readyState).toBe(1);
    await expect.poll(() => used(world)).toBe(1);
  }
  expect(await used(world)).toBe(0);
  expect(await world.db('org_streams').whereNot({ replica_id: crashed })).toEqual([]);
});
