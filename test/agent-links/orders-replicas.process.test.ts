import { expect, test } from 'vitest';
import { operatorOf } from '../support/operator.ts';
import { orderAgent } from '../support/order-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startServer } from '../support/server-process.ts';
import { replicaBeside, startIsolatedWorld } from '../support/world.ts';
import { promptMs } from '../support/until.ts';

const entry = (value: number) => ({ key: 'nav.max_speed', value });

test('what is ordered of one server process reaches a robot of another one promptly, and also when the first is killed', async () => {
  await using world = await startIsolatedWorld();
  const robot = await robotsOf(world).enroll();
  const env = replicaBeside(world);
  await using near = await startServer(env);
  await using far = await startServer(env);
  using agent = await orderAgent(far.url, robot.robot_token);
  await agent.desired();
  await world.stop(0); // only the two are left
  const call = async (
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const answer = await fetch(`${near.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${world.orgToken}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as unknown };
  };
  const operator = operatorOf({ call });

  const orderedAt = performance.now();
  await operator.deployConfig(robot.robot_id, entry(1));
  const { order_id, digest } = await agent.order();
  expect(performance.now() - orderedAt).toBeLessThan(promptMs);
  expect(await agent.report({ order_id, status: 'applied', digest })).toBe(true);

  const deploymentId = await operator.deployConfig(robot.robot_id, entry(2));
  await near.end('SIGKILL');
  const order = await agent.order();
  expect(order.deployments).toEqual([deploymentId]);
  expect(await agent.report({ order_id: order.order_id, status: 'applied', digest: order.digest })).toBe(true);
});

test('a robot that comes back to another replica in the middle of an order ends it there, once', async () => {
  await using world = await startIsolatedWorld();
  await using other = await startIsolatedWorld({ shares: world });
  const robot = await robotsOf(world).enroll();
  const operator = operatorOf(world);
  using first = await orderAgent(world.url, robot.robot_token);
  await operator.deployConfig(robot.robot_id, entry(1));
  const { order_id, digest } = await first.order();
  expect(await first.report({ order_id, status: 'verifying' })).toBe(false);
  using second = await orderAgent(other.url, robot.robot_token, [{ order_id, status: 'verifying' }]);
  expect(await second.next('report_ack')).toMatchObject({ order_id, ended: false });
  expect((await second.order()).order_id).toBe(order_id);
  // The stale link may say what it likes.
  first.send({ type: 'report', order_id, status: 'failed' });
  expect((await first.closed).code).toBe(4409);
  expect(await second.report({ order_id, status: 'applied', digest })).toBe(true);
  expect(await operator.deployment()).toMatchObject({ status: 'applied', counts: { applied: 1, failed: 0 } });
  expect(await world.count('orders')).toBe(1);
});
