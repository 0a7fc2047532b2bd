import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Order } from '../../../../generated/frames.js';
import { configOrder, releaseOrder } from '../../../support/orders.ts';
import { smallDisk } from '../../../support/small-disk.ts';
import { testWith } from '../../../support/tools.ts';
import { patienceMs, within } from '../../../support/until.ts';
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

test('an order whose gate does not respond can be cancelled, and the agent can exit', async () => {
  await using robot = await startRobot();
  let asked = 0;
  robot.gates = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => asked).toBe(1);
  robot.take({ ...order, cancel: true });
  expect(await robot.ended(order)).toMatchObject({ status: 'cancelled' });
  robot.take(configOrder([{ key: 'a', value: '2' }]));
  await expect.poll(() => asked).toBe(2);
  await within(robot.desk.stop(), patienceMs, () => 'the agent does not exit');
});

testWith('mount')(
  'an order that begins to wait on a full disk, or waits on it after a restart, keeps waiting',
  async () => {
    using disk = smallDisk(1024 * 1024);
    await using robot = await startRobot(undefined, disk.path);
    const stuck = 'the wait of an order cannot be stored: Error: ENOSPC: no space left on device, write';
    robot.gates = async () => {
      disk.fill();
      return battery;
    };
    const order = configOrder([{ key: 'a', value: '1' }]);
    robot.take(order);
    await expect.poll(() => waits(robot, order)).toEqual([battery]);
    expect(robot.told).toContain(stuck);
    // Once with room, so that the wait is in the journal when the disk is full again.
    robot.gates = undefined;
    robot.closed = battery;
    await robot.restart(async () => disk.empty());
    await expect.poll(() => waits(robot, order)).toEqual([battery]);
    expect(await robot.journal(order)).toMatchObject({ step: 'install', attempt: 0 });
    robot.told.length = 0;
    await robot.restart(async () => disk.fill());
    await expect.poll(() => waits(robot, order)).toEqual([battery]);
    expect(robot.told).toContain(stuck);
    await robot.restart(async () => {
      disk.empty();
      robot.closed = undefined;
    });
    expect(await robot.ended(order)).toMatchObject({ status: 'applied' });
  },
);

test('gates that cannot be asked keep the order waiting, with the reason', async () => {
  await using robot = await startRobot();
  robot.gates = async () => Promise.reject(new Error('statfs failed'));
  const order = configOrder([{ key: 'a', value: '1' }]);
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([{ holder: 'agent', reason: 'statfs failed' }]);
});

const window = (hours: number, at_end = 'finish') => {
  const cron = `0 ${(new Date().getUTCHours() + hours) % 24} * * *`;
  return { openings: [{ cron, duration_s: 3_600 }], zone: 'UTC', at_end };
};
const closed = { holder: 'window', reason: 'opens tomorrow' };

test('an order waits outside of its window, also if it ignores gates', async () => {
  await using robot = await startRobot();
  robot.window = () => closed;
  robot.gates = async () => battery;
  const order = configOrder([{ key: 'a', value: '1' }], { window: window(3), ignore_gates: true });
  robot.take(order);
  await expect.poll(() => waits(robot, order)).toEqual([closed]);
  await robot.restart(async () => void (robot.window = () => undefined));
  expect(await robot.ended(order)).toMatchObject({ status: 'applied' });
});

test('an order that was installed in its window takes effect after its end, unless it waited or must be cancelled', async () => {
  await using robot = await startRobot();
  let asked = 0;
  const endsAfterInstall = () => {
    asked = 0;
    robot.window = () => ((asked += 1) === 1 ? undefined : closed);
  };
  endsAfterInstall();
  const finished = configOrder([{ key: 'a', value: '1' }], { window: window(0) });
  robot.take(finished);
  expect(await robot.ended(finished)).toMatchObject({ status: 'applied' });

  endsAfterInstall();
  const cancelled = configOrder([{ key: 'a', value: '2' }], { window: window(0, 'cancel') });
  robot.take(cancelled);
  expect(await robot.ended(cancelled)).toMatchObject({ status: 'cancelled', reason: 'window_ended' });
  expect(await robot.read('default')).toEqual({ a: 1 });

  endsAfterInstall();
  robot.gates = async () => (asked === 1 ? undefined : battery);
  const late = configOrder([{ key: 'a', value: '3' }], { window: window(0) });
  robot.take(late);
  await expect.poll(() => waits(robot, late)).toEqual([battery]);
  robot.gates = undefined;
  await expect.poll(() => waits(robot, late)).toEqual([battery, closed]);
}, 20_000);
