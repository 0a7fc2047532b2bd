import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operatorOf } from '../support/operator.ts';
import { orderAgent, type OrderAgent } from '../support/order-agent.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

const speed = { key: 'nav.max_speed', value: 1.2 };

async function acknowledged(agent: OrderAgent, report: Record<string, unknown>) {
  agent.send({ type: 'report', ...report });
  return agent.next('report_ack');
}

test('an agent is told that its proof was refused, each time it reports it, beside the status that it reported', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  const operator = operatorOf(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  await operator.deployConfig(robot.robot_id, speed);
  const { order_id } = await agent.order();
  expect(await acknowledged(agent, { order_id, status: 'installing', report_seq: 0 })).toEqual({
    type: 'report_ack',
    order_id,
    status: 'installing',
    ended: false,
    result: { status: 'installing' },
    report_seq: 0,
  });
  const refused = {
    type: 'report_ack',
    order_id,
    status: 'applied',
    ended: true,
    result: { status: 'failed', reason: 'digest_mismatch' },
  };
  const wrong = { order_id, status: 'applied', digest: '0'.repeat(64) };
  expect(await acknowledged(agent, { ...wrong, report_seq: 7 })).toEqual({ ...refused, report_seq: 7 });
  expect(await acknowledged(agent, wrong)).toEqual(refused);
  expect(await operator.deployment()).toMatchObject({ status: 'failed' });

  using next = await orderAgent(world.url, robot.robot_token, [{ ...wrong, report_seq: 8 }]);
  expect(await next.next('report_ack')).toEqual({ ...refused, report_seq: 8 });
});

test('a status that does not exist changes nothing, and the agent is told so; one that comes late is told what became of the order', async () => {
  await using world = await startWorld();
  const robot = await robotsOf(world).enroll();
  const operator = operatorOf(world);
  using agent = await orderAgent(world.url, robot.robot_token);
  await operator.deployConfig(robot.robot_id, speed);
  const { order_id, digest } = await agent.order();
  const unknown = (status: string) => ({ status, reason: 'unknown_status' });
  expect(await acknowledged(agent, { order_id, status: 'Applied', digest })).toMatchObject({
    status: 'Applied',
    ended: false,
    result: unknown('dispatched'),
  });
  expect(await operator.deployment()).toMatchObject({ counts: { dispatched: 1 } });
  expect(await acknowledged(agent, { order_id, status: 'failed', reason: 'no_space' })).toMatchObject({
    result: { status: 'failed', reason: 'no_space' },
  });
  expect(await acknowledged(agent, { order_id, status: 'applied', digest })).toMatchObject({
    ended: true,
    result: { status: 'failed', reason: 'no_space' },
  });
  expect(await acknowledged(agent, { order_id, status: 'Applied', digest })).toMatchObject({
    ended: true,
    result: unknown('failed'),
  });
  const stranger = await acknowledged(agent, { order_id: randomUUID(), status: 'applied' });
  expect(stranger).toMatchObject({ ended: true });
  expect(stranger).not.toHaveProperty('result');
});
