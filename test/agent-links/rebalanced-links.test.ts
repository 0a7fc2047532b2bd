import { expect, test } from 'vitest';
import { rebalanceLimits } from '../../src/agent-links/rebalancing.ts';
import { nextOpen, openStream, shellAgent, shellOf } from '../support/dial-back.ts';
import { linkedAgent, type FakeAgent } from '../support/fake-agent.ts';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { clusterOf } from '../support/replicas.ts';
import { robotsOf, type Identity } from '../support/robots.ts';
import { together } from '../support/together.ts';
import { startIsolatedWorld } from '../support/world.ts';

/** Minutes become moments, and the replica asks again and again. */
const linkLimits = {
  leaseMs: 5_000,
  renewEveryMs: 100,
  rebalance: {
    ...rebalanceLimits,
    beginShare: 0.01,
    beginLinks: 1,
    endShare: 0,
    afterMs: 200,
    restMs: 0,
    minAgeMs: 0,
    withinMs: 100,
  },
};
const beside = { env: clusterOf(9), linkLimits };

const wasAsked = ({ frames }: FakeAgent) => frames.some(({ type }) => type === 'drain');

test('the fuller replica asks idle links to reconnect, and none with an open stream or order', async () => {
  await using world = await startIsolatedWorld(beside);
  const robots = robotsOf(world);
  const enrolled = await robots.enrollMany(6);
  const [plain, opening, working] = enrolled as [Identity, Identity, Identity];
  const [told, unknown, busy] = enrolled.slice(3) as [Identity, Identity, Identity];
  await using agents = await together(async (own) => ({
    opensNone: own(await linkedAgent(world.url, plain.robot_token)),
    none: own(await shellAgent(world.url, told.robot_token)),
    tellsNot: own(await shellAgent(world.url, unknown.robot_token)),
    hasOne: own(await shellAgent(world.url, busy.robot_token)),
    getsOne: own(await shellAgent(world.url, opening.robot_token)),
    works: own(await orderAgent(world.url, working.robot_token)),
  }));
  const { opensNone, none, tellsNot, hasOne, getsOne, works } = agents;
  none.send({ type: 'heartbeat', streams: 0 });
  hasOne.send({ type: 'heartbeat', streams: 1 });
  getsOne.send({ type: 'heartbeat', streams: 0 });
  using viewer = await openStream(shellOf(world.url, opening.robot_id), { token: world.orgToken });
  await nextOpen(getsOne);
  await operatorOf(world).deployConfig(working.robot_id, { key: 'nav.max_speed', value: 1 });
  const { order_id, digest } = await works.order();

  await using other = await startIsolatedWorld({ ...beside, shares: world });
  for (const agent of [opensNone, none]) {
    expect(await agent.closed).toEqual({ code: 1012, reason: 'another replica has fewer links' });
    expect(agent.frames).toContainEqual({ type: 'drain', within_ms: 100 });
  }
  using moved = await linkedAgent(other.url, plain.robot_token);
  // What was busy is asked as soon as it is not.
  hasOne.send({ type: 'heartbeat', streams: 0 });
  expect((await hasOne.closed).code).toBe(1012);
  expect([tellsNot, getsOne, works].map(wasAsked)).toEqual([false, false, false]);
  await works.report({ order_id, status: 'applied', digest });
  expect((await works.closed).code).toBe(1012);
  expect([tellsNot, getsOne, moved].map(wasAsked)).toEqual([false, false, false]);
  expect(viewer.socket.readyState).toBe(1);
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  expect(metrics).toContain('fleet_agent_links_rebalanced_total 4\n');
  expect(await robots.story(plain)).toContain('disconnected rebalanced');
});
