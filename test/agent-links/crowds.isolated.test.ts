import { expect, test } from 'vitest';
import { admission } from '../../src/platform/ws/admission.ts';
import { timerWheel } from '../../src/agent-links/timer-wheel.ts';
import { connectAgent, linkedAgent, UpgradeRefused, type FakeAgent } from '../support/fake-agent.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { startIsolatedWorld } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

const block = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

/** A gate by a clock that the test sets, in ms; its timers run by the real one, so a clock far ahead of them is a busy loop. */
function gateAt(floorPerSecond: number) {
  const clock = { ms: 0 };
  const gate = admission(floorPerSecond, () => clock.ms);
  return {
    clock,
    gate,
    letIn: (count: number) => Array.from({ length: count }, gate.admit).filter((each) => !each).length,
  };
}

test('while the event loop keeps up everybody is let in, while it is busy as many as its clock allows', () => {
  const { clock, gate, letIn } = gateAt(100);
  expect(letIn(500)).toBe(500);
  clock.ms = 300;
  expect(letIn(50)).toBe(30);
  // However long a turn of the loop takes, the floor is held; a standstill is not made up for.
  clock.ms = 800;
  expect(letIn(60)).toBe(50);
  clock.ms = 60_000;
  expect(letIn(500)).toBe(100);
  gate.stop();
});

test('the loop is busy when a timer comes late, and no longer when the next one comes in time', async () => {
  const gate = admission(10);
  const letIn = () => Array.from({ length: 50 }, gate.admit).filter((each) => !each).length;
  expect(letIn()).toBe(50);
  block(300);
  expect(letIn()).toBeLessThan(10);
  await expect.poll(letIn, { interval: 20 }).toBe(50);
  gate.stop();
});

test('who is refused comes back in the time in which that many can be let in, 30 s at most', () => {
  const { clock, gate, letIn } = gateAt(100);
  letIn(100);
  clock.ms = 1_000;
  expect(letIn(600)).toBe(100);
  // 501 are refused, which takes 5 s at 100 a second.
  expect(gate.admit()).toBe(12);
  letIn(5_000);
  expect(gate.admit()).toBe(30);
  // Nobody came for a minute: all of them were let in elsewhere.
  clock.ms = 61_000;
  letIn(100);
  expect(gate.admit()).toBe(2);
  gate.stop();
});

/** Comes back as an agent does that was refused, only sooner. */
async function persistently(url: string, { robot_token: token }: Identity): Promise<FakeAgent> {
  for (;;) {
    try {
      return await linkedAgent(url, token);
    } catch (error) {
      if (!(error instanceof UpgradeRefused) || error.status !== 503) throw error;
      expect(Number(error.retryAfter)).toBeGreaterThan(0);
      expect(Number(error.retryAfter)).toBeLessThan(31);
      await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 200));
    }
  }
}

test('500 agents that come back at once are all linked again, and the API answers meanwhile', async () => {
  await using world = await startIsolatedWorld();
  const robots = await robotsOf(world).enrollMany(500);
  const first = await Promise.all(robots.map((robot) => persistently(world.url, robot)));
  for (const agent of first) agent.socket.terminate();
  await Promise.all(first.map(({ closed }) => closed));
  const again = Promise.all(robots.map((robot) => persistently(world.url, robot)));
  expect((await world.call('GET', '/api/sites')).status).toBe(200);
  const agents = await again;
  const items = (await world.call('GET', '/api/robots')).body.items as { online: boolean }[];
  expect(items.filter(({ online }) => online)).toHaveLength(500);
  const disconnects = async () => {
    // In one statement: entries move from one table to the other when they get their number.
    const { rows } = await world.db.raw<{ rows: unknown[] }>(
      `select id from timeline where kind = 'disconnected' union all select id from timeline_unnumbered where kind = 'disconnected'`,
    );
    return rows.length;
  };
  await expect.poll(disconnects).toBe(500);
  expect(await world.db('robot_links').where('takeovers', '>', 0).pluck('robot_id')).toEqual([]);
  for (const agent of agents) agent.socket.terminate();
});

test('a service that stops tells its agents, closes them one after the other and signs off', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { drainPerSecond: 20 } });
  await using other = await startIsolatedWorld({ shares: world });
  const robots = robotsOf(other);
  const all = await robots.enrollMany(20);
  const agents = await Promise.all(all.map(({ robot_token: token }) => linkedAgent(world.url, token)));
  const leaver = agents.at(-1) as FakeAgent;
  leaver.socket.on('message', () => leaver.socket.close(1000));
  const startedAt = performance.now();
  const endedAt = agents.map(async ({ closed }) => ({ ...(await closed), ms: performance.now() - startedAt }));
  const stopped = world.stop(0);
  await expect(connectAgent(world.url, all[0]?.robot_token ?? '')).rejects.toThrow(/503|ECONNREFUSED/);
  expect(await leaver.next('drain')).toEqual({ type: 'drain', within_ms: 1_000 });
  const ends = await Promise.all(endedAt);
  const left = ends.pop();
  expect(left?.code).toBe(1000);
  expect(new Set(ends.map(({ code }) => code))).toEqual(new Set([1012]));
  const times = ends.map(({ ms }) => ms).sort((a, b) => a - b);
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(500);
  await stopped;
  expect(await world.db('robot_links').whereNotNull('replica_id').pluck('robot_id')).toEqual([]);
  expect(await world.db('replicas').pluck('id')).toHaveLength(1);
  // Also of the one that left by itself: it was told to.
  for (const robot of [all[5], all.at(-1)])
    expect(await robots.story(robot as Identity)).toEqual(['enrolled', 'connected', 'disconnected service_stopped']);
});

test('a service that stops lets no agent in, also while a round of its engine waits for the database', async () => {
  await using world = await startIsolatedWorld();
  const { robot_token: token } = await robotsOf(world).enroll();
  const lock = await world.db.transaction();
  await lock.raw('lock table deployments in access exclusive mode');
  await expect
    .poll(
      async () =>
        (
          await world.db.raw(
            'select from pg_locks join pg_database on oid = database where datname = current_database() and not granted',
          )
        ).rows.length,
    )
    .toBeGreaterThan(0);
  const stopped = world.stop(0);
  await expect(connectAgent(world.url, token)).rejects.toThrow(/503|ECONNREFUSED/);
  await lock.rollback();
  await stopped;
});

test('a service without links stops at once', async () => {
  await using world = await startIsolatedWorld();
  const startedAt = performance.now();
  await world.stop(0);
  expect(performance.now() - startedAt).toBeLessThan(promptMs); // with links it takes 12 s
});

test('an agent whose logs cannot be stored fast enough is not read meanwhile, nor taken for dead, and loses nothing', async () => {
  const waiting: (() => void)[] = [];
  let accepted = 0;
  await using world = await startIsolatedWorld({
    linkLimits: { pingEveryMs: 500, deadAfterMs: 1_500 },
    logs: {
      scan: () => undefined,
      accept(_link, { spool }, done) {
        const seq = (accepted += 1); // a frame has one record
        waiting.push(() => done({ kind: 'stored', spool, seq }));
      },
      close: async () => undefined,
    },
  });
  const robot = await robotsOf(world).enroll();
  using agent = await linkedAgent(world.url, robot.robot_token);
  const count = 40;
  for (let seq = 1; seq <= count; seq += 1)
    agent.send({
      type: 'logs',
      spool: 's',
      from_seq: seq,
      to_seq: seq,
      records: [{ seq, message: 'x'.repeat(100_000) }],
    });
  await expect.poll(() => accepted).toBeGreaterThan(10);
  const before = accepted;
  expect(before).toBeLessThan(20);
  // Twice the time after which a silent agent is dead.
  const silentUntil = performance.now() + 3_000;
  await expect.poll(() => performance.now() > silentUntil).toBe(true);
  expect(accepted).toBe(before);
  expect(agent.socket.readyState).toBe(1);
  const drain = setInterval(() => waiting.splice(0).forEach((done) => done()), 10);
  await expect.poll(() => agent.frames.filter(({ type }) => type === 'logs_ack').length).toBe(count);
  clearInterval(drain);
  expect(agent.frames.at(-1)).toEqual({ type: 'logs_ack', spool: 's', seq: count });
});

test('the clock by which silence is measured stands still while the process does', async () => {
  const item = { slot: 0, visits: 0 };
  const wheel = timerWheel<typeof item>(100, (each) => (each.visits += 1));
  wheel.add(item);
  await expect.poll(() => item.visits).toBeGreaterThan(2);
  const before = { ms: wheel.nowMs, visits: item.visits };
  block(2_500);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(wheel.nowMs - before.ms).toBeLessThan(2_000);
  expect(item.visits - before.visits).toBeLessThan(3);
  wheel.stop();
});
