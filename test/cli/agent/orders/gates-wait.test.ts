import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { configOrder, releaseOrder } from '../../../support/orders.ts';
import { artifact, startRobot, type Robot } from './robot.ts';

const battery = { holder: 'battery', reason: '18 %, needs 30 %' };
const waits = ({ reports }: Robot, { order_id: id }: Order) =>
  reports.flatMap(({ order_id, progress }) => (order_id === id && progress ? [progress.waiting_on] : []));

test('an order waits while a gate is closed, also over restarts of the agent, and takes effect when it opens', async () => {
  await using robot = await startRobot();
  robot.closed = battery;
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([battery]);
  expect(robot.reports.at(-1)).toMatchObject({
    status: 'downloading',
    progress: { percent: 100, text: 'waits for battery: 18 %, needs 30 %' },
  });
  expect(robot.told).toContain(`order ${order.order_id} of lane config waits for a gate`);
  // More often than a step may be interrupted.
  for (let times = 0; times < 12; times += 1) {
    await robot.restart();
    await expect.poll(() => waits(robot, order)).toEqual([battery]);
  }
  expect(await robot.journal(order)).toMatchObject({ step: 'install', attempt: 0 });
  expect(await readdir(robot.folder)).not.toContain('config');
  await robot.restart(async () => void (robot.closed = undefined));
  expect(await robot.ended(order)).toMatchObject({ status: 'applied', digest: order.digest });
  expect(waits(robot, order)).toEqual([undefined]);
}, 20_000);

test('a gate that closes during the installation keeps the order from taking effect, and an interrupted wait begins nothing twice', async () => {
  await using robot = await startRobot('echo run >> "$AT/runs"');
  const asked: string[] = [];
  robot.gates = async () => {
    asked.push('asked');
    return asked.length === 1 ? undefined : battery;
  };
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([battery]);
  expect(robot.reports.at(-1)).toMatchObject({ status: 'installing' });
  expect(await robot.journal(order)).toMatchObject({ step: 'activate', attempt: 0 });
  await robot.restart(async () => void (robot.gates = undefined));
  expect(await robot.ended(order)).toMatchObject({ status: 'applied' });
  expect(await readFile(robot.path('runs'), 'utf8')).toBe('run\n');
});

test('an order that waits to take effect can be cancelled, also after a restart of the agent', async () => {
  await using robot = await startRobot();
  let times = 0;
  robot.gates = async () => (times++ === 0 ? undefined : battery);
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([battery]);
  await robot.restart();
  await expect.poll(() => waits(robot, order)).toEqual([battery]);
  robot.take({ ...order, cancel: true });
  expect(await robot.ended(order)).toMatchObject({ status: 'cancelled' });
  expect(await readdir(robot.path('config'))).not.toContain('default.json');
});

test('an order that waits for a gate can be cancelled, is given up with the list, and holds up no other lane', async () => {
  await using robot = await startRobot();
  robot.gates = async ({ lane }) => (lane === 'config' ? battery : undefined);
  const order = configOrder([{ key: 'a', value: '1' }]);
  const other = releaseOrder('file', 'v1');
  await artifact(robot, 'v1');
  robot.take(order, other);
  expect(await robot.ended(other)).toMatchObject({ status: 'applied' });
  robot.take({ ...order, cancel: true });
  expect(await robot.ended(order)).toMatchObject({ status: 'cancelled' });

  const expired = configOrder([{ key: 'a', value: '2' }]);
  robot.take(expired);
  await expect.poll(() => waits(robot, expired)).toEqual([battery]);
  robot.take();
  expect(await robot.ended(expired)).toMatchObject({ status: 'cancelled' });
  expect(await readdir(robot.folder)).not.toContain('config');
}, 20_000);

test('an order that has begun and left the list is finished while its gates are open', async () => {
  await using robot = await startRobot();
  robot.gates = async () => {
    robot.take();
    return undefined;
  };
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  expect(await robot.ended(order)).toMatchObject({ status: 'applied' });
});

test('gates that cannot be asked keep the order waiting, with the reason', async () => {
  await using robot = await startRobot();
  robot.gates = async () => Promise.reject(new Error('statfs failed'));
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([{ holder: 'agent', reason: 'statfs failed' }]);
});
