import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { spreadVisits } from '../../src/agent-links/spread-visits.ts';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startIsolatedWorld, type IsolatedWorld } from '../support/world.ts';

/** Ends the connection by which hints arrive each time that it is made anew. Gives what stops it. */
function flapping({ db, name }: IsolatedWorld): () => Promise<void> {
  const stop = new AbortController();
  const flaps = (async () => {
    for (; !stop.signal.aborted; await sleep(10))
      await db
        .raw(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = ? and application_name like '% hints'`,
          [name],
        )
        .catch(() => undefined); // the pool is busy
  })();
  return async () => {
    stop.abort();
    await flaps;
  };
}

test('while the connection of hints is lost again and again, every robot with a pending order gets it', async () => {
  await using world = await startIsolatedWorld();
  const robots = await robotsOf(world).enrollMany(30);
  const agents = await Promise.all(robots.map(({ robot_token: token }) => orderAgent(world.url, token)));
  for (const agent of agents) await agent.desired();
  const stop = flapping(world);
  await expect.poll(() => world.bus.up, { interval: 5 }).toBe(false);
  const fleet = (await world.call('GET', '/api/fleets')).body.items[0].id as string;
  await operatorOf(world).deployConfig(fleet, { key: 'nav.max_speed', value: 1 }, 'fleet');
  await Promise.all(agents.map((agent) => agent.order()));
  await stop();
  for (const agent of agents) agent[Symbol.dispose]();
});

test('while there is no connection of hints at all, orders and their cancellation reach the robot by polling', async () => {
  await using world = await startIsolatedWorld({ linkLimits: { pendingEveryMs: 100 } });
  const [robot] = await robotsOf(world).enrollMany(1);
  using agent = await orderAgent(world.url, robot?.robot_token ?? '');
  await agent.desired();
  await world.bus.close();
  const operator = operatorOf(world);
  await operator.deployConfig(robot?.robot_id ?? '', { key: 'nav.max_speed', value: 1 });
  const { order_id } = await agent.order();
  await operator.cancel();
  expect(await agent.order()).toMatchObject({ order_id, cancel: true });
});

test('a round that begins anew before it is over goes on where it stands, so that none is left out', async () => {
  const items = Array.from({ length: 120 }, (_, index) => index);
  const visits = new Map<number, number>();
  const looks = spreadVisits(
    () => items,
    (item) => visits.set(item, (visits.get(item) ?? 0) + 1),
    400,
  );
  looks.begin();
  const restarts = setInterval(() => looks.begin(), 40);
  await expect.poll(() => visits.size, { interval: 5 }).toBe(items.length);
  clearInterval(restarts);
  expect(Math.max(...visits.values())).toBeLessThanOrEqual(2);
  looks.stop();
});
