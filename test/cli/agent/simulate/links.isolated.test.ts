import { expect, test } from 'vitest';
import { longOutages } from '../../../../cli/agent/simulate/outages.ts';
import { readProfile } from '../../../../cli/agent/simulate/read-profile.ts';
import { startSimulation } from '../../../../cli/agent/simulate/simulation.ts';
import type { AgentServer } from '../../../support/agent-server.ts';
import { releaseOrder, sha256, startOrderServer } from '../../../support/orders.ts';

function simulated(server: AgentServer, profile: object, count = 1) {
  const simulation = startSimulation({
    backendUrl: server.url,
    socketOptions: { userAgent: 'test' },
    profile: readProfile(JSON.stringify({ order_seconds: 0.1, ...profile })),
    seed: '7',
    agentVersion: 'simulated/1',
    robots: new Map(Array.from({ length: count }, (_, index) => [index, { robotId: 'r-1', robotToken: `t-${index}` }])),
    rampPerSecond: 1_000,
  });
  return { ...simulation, [Symbol.asyncDispose]: () => simulation.stop() };
}

const helloOf = (server: AgentServer) =>
  server.until(() => server.links.flatMap(({ frames }) => frames).find(({ type }) => type === 'hello'));

test('hello says that a robot keeps gates and windows, in its time zone, unless its agent is too old', async () => {
  await using server = await startOrderServer();
  await using old = await startOrderServer();
  await using one = simulated(server, {});
  await using other = simulated(old, { old_agent_percent: 100 });
  expect(await helloOf(server)).toMatchObject({
    capabilities: { orders: true, gates: true, windows: true },
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  expect(await helloOf(old)).toMatchObject({ capabilities: { logs: true, orders: true } });
  expect(JSON.stringify(await helloOf(old))).not.toMatch(/gates|windows/);
  expect([one.counts.flaps, other.counts.flaps]).toEqual([0, 0]);
});

test('a robot waits at its gate with what its own health says', async () => {
  await using server = await startOrderServer();
  const health = { battery_percent: 20, battery_minutes: 1_000_000, charge_below_percent: 0 };
  await using one = simulated(server, { gates_percent: 100, ...health });
  await helloOf(server);
  const order = releaseOrder('file', 'x');
  server.give(order);
  const waiting = await server.until(() => server.reports.find(({ progress }) => progress?.waiting_on));
  expect(waiting.progress?.waiting_on).toEqual({
    holder: 'battery',
    reason: expect.stringMatching(/^(?:19|20) %, needs 30 %$/),
  });
  expect(one.counts.gate_waits).toBe(1);
  expect(server.invalid).toEqual([]);
});

test('a robot that drifts reports the release that it applied, and something else after a while', async () => {
  await using server = await startOrderServer();
  await using slow = await startOrderServer();
  const drifting = simulated(server, { drift_percent: 100, drift_minutes: 0 });
  const steady = simulated(slow, { drift_percent: 100, drift_minutes: 600 });
  const runningOn = async (at: typeof server, artifact: string) => {
    const order = releaseOrder('file', artifact);
    at.give(order);
    expect(await at.endOf(order)).toMatchObject({ status: 'applied', digest: sha256(artifact) });
    const links = at.links.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    at.links.at(-1)?.socket.terminate();
    const frame = await at.until(() =>
      at.links
        .slice(links)
        .flatMap(({ frames }) => frames)
        .find(({ type }) => type === 'running'),
    );
    return 'lanes' in frame ? frame.lanes : undefined;
  };
  await Promise.all([helloOf(server), helloOf(slow)]);
  expect(await runningOn(slow, 'x')).toEqual({ 'release:file': sha256('x') });
  const drifted = await runningOn(server, 'x');
  expect(Object.values(drifted ?? {})).toEqual([expect.not.stringContaining(sha256('x'))]);
  expect(await runningOn(server, 'y')).not.toEqual(drifted);
  expect([drifting.counts.drifts, steady.counts.drifts]).toEqual([2, 0]);
  await Promise.all([drifting.stop(), steady.stop()]);
});

test('a share of the robots goes offline for long and comes back, again and again', async () => {
  await using server = await startOrderServer();
  const hours = { offline_hours_min: 0.001, offline_hours_max: 0.0011 };
  await using many = simulated(server, { offline_percent: 50, ...hours }, 60);
  const tokens = () => server.links.map(({ request }) => request.headers.authorization);
  const timesOf = (token: string | undefined) => tokens().filter((each) => each === token).length;
  await server.until(() => server.links.length >= 66 && tokens().some((token) => timesOf(token) > 2));
  expect(many.counts.outages).toBeGreaterThanOrEqual(6);
  expect(many.counts.flaps).toBe(0);
  expect(new Set(tokens()).size).toBe(60);
});

test('long outages last from the shortest to the longest time, and begin within a minute; a seed gives the same', () => {
  const profile = readProfile('{"offline_percent":100,"offline_hours_min":24,"offline_hours_max":720}');
  const take = (seed: string) => {
    const outages = longOutages(seed, profile);
    return Array.from({ length: 200 }, () => outages.next().value);
  };
  const [first, ...others] = take('7/1');
  expect(first?.onlineMs).toBeLessThan(60_000);
  const hours = others.flatMap(({ onlineMs, offlineMs }) => [onlineMs / 3_600_000, offlineMs / 3_600_000]);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(24);
  expect(Math.min(...hours)).toBeLessThan(72);
  expect(Math.max(...hours)).toBeLessThanOrEqual(720);
  expect(Math.max(...hours)).toBeGreaterThan(650);
  expect(take('7/1')).toEqual([first, ...others]);
  expect(take('7/2')).not.toEqual(take('7/1'));
});
