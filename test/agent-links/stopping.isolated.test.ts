import { expect, test } from 'vitest';
import { connectAgent, linkedAgent } from '../support/fake-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

test('however many agents there are, a stop closes them spread over its time, pings those that wait, and ends in time', async () => {
  const drainMaxMs = 3_000;
  await using world = await startIsolatedWorld({
    linkLimits: { drainPerSecond: 20, drainMaxMs, pingEveryMs: 300 },
    // Records that a database takes too long to store hold up nobody.
    logs: { scan: () => undefined, accept: () => undefined, close: () => new Promise(() => undefined) },
  });
  const robots = await robotsOf(world).enrollMany(200);
  const agents = await Promise.all(robots.map(({ robot_token: token }) => linkedAgent(world.url, token)));
  const deaf = agents.slice(0, 20); // they never answer the close
  for (const { socket } of deaf) socket.pause();
  let pings = 0;
  const startedAt = performance.now();
  for (const { socket } of agents) socket.on('ping', () => (pings += 1));
  const ends = agents.slice(20).map(async ({ closed }) => ({ ...(await closed), ms: performance.now() - startedAt }));
  await world.stop(0);
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(drainMaxMs);
  expect(tookMs).toBeLessThan(drainMaxMs + 5_000 + promptMs); // 2 s for the deaf, 1 s and 2 s to write, and what the machine takes
  const closed = await Promise.all(ends);
  expect(new Set(closed.map(({ code, reason }) => `${code} ${reason}`))).toEqual(
    new Set(['1012 the service is stopping']),
  );
  // By far the most of them in more than a third of the time: one after the other, also on a machine that is busy.
  const times = closed.map(({ ms }) => ms).sort((a, b) => a - b);
  expect((times.at(-20) ?? 0) - (times[20] ?? 0)).toBeGreaterThan(drainMaxMs / 3);
  expect(pings).toBeGreaterThan(20);
  expect(await world.db('robot_links').whereNotNull('replica_id').pluck('robot_id')).toEqual([]);
  for (const agent of deaf) agent.socket.terminate();
});

test('an agent that connects to a service that is stopping is told to come back after 1 s, for another replica has room', async () => {
  await using world = await startIsolatedWorld();
  const robots = await robotsOf(world).enrollMany(8);
  const stopped = world.stop(1_000);
  const refusals = await Promise.all(
    robots.map(({ robot_token: token }) => connectAgent(world.url, token).catch((error: unknown) => error)),
  );
  // Of eight random waits of up to 30 s, one at least would be longer.
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 503, retryAfter: '1' });
  await stopped;
});
