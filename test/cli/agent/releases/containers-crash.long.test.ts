import { afterAll, beforeAll, expect } from 'vitest';
import type { Order, OrderState } from '../../../../generated/frames.js';
import { startContainerRobot, type ContainerRobot } from './container-robot.ts';
import { runs, startPodman, testWithPodman as test, type Podman } from '../../../support/podman.ts';

/** `npm run test:long` ends the agent at each call of the engine; a part of `npm run test:full` at one in each step of an order. */
const isShort = process.env['FAULT_ROUNDS'] === undefined;

let podman: Podman;
let archives: { old: Buffer; good: Buffer; crashing: Buffer };

beforeAll(async () => {
  podman = await startPodman();
  archives = {
    old: await podman.archive('nav:1', runs('nav 1')),
    good: await podman.archive('nav:2', runs('nav 2')),
    crashing: await podman.archive('nav:3', 'CMD ["/bin/sh", "-c", "exit 3"]'),
  };
});

afterAll(async () => {
  await podman[Symbol.asyncDispose]();
});

const current = async () =>
  (await podman.podman('container', 'inspect', '--format', '{{.ID}} {{.Image}}', 'fleet-release')).trim().split(' ');

/** A robot with the old release, and an order that it does not have yet. */
async function prepare(robot: ContainerRobot, archive: Buffer): Promise<{ order: Order; oldId: string | undefined }> {
  const agent = robot.start();
  expect(await robot.deploy(archives.old)).toMatchObject({ status: 'applied' });
  agent.kill('SIGTERM');
  await agent.ended;
  const order = await robot.order(archive, 'v2');
  robot.server.orders.push(order);
  return { order, oldId: (await current())[0] };
}

/** Begins the agent again each time that it was killed, until nothing is planned any more; gives how the order ended. */
async function carryOut(robot: ContainerRobot, order: Order, plan: readonly string[]): Promise<OrderState> {
  await robot.plan(...plan);
  for (const moment of plan) {
    const agent = robot.start();
    expect((await agent.ended).code, moment).toBe(137);
  }
  expect(await robot.planned()).toEqual([]);
  robot.start();
  return robot.server.endOf(order);
}

async function expectNothingBehind(images: number): Promise<void> {
  expect(await podman.containers()).toEqual(['fleet-release running']);
  expect(await podman.images()).toHaveLength(images);
}

/** One in each step: download, install, activate, verify and commit. The engine goes on without its agent, or is ended with it. */
const forward = [
  'kill ^ps',
  'cut ^load',
  'cut ^rename .* fleet-release$',
  'kill ^start',
  'kill ^container inspect fleet-release$',
  'cut ^rm .* fleet-release-prev$',
];

test('kill -9 of the agent in every step of a good release: it is applied', async () => {
  await using robot = await startContainerRobot(podman);
  const { order, oldId } = await prepare(robot, archives.good);
  expect(await carryOut(robot, order, forward)).toMatchObject({ status: 'applied' });
  expect((await current())[0]).not.toBe(oldId);
  await expectNothingBehind(2);
});

test('kill -9 of the agent in every step of a bad release: the container of before runs again', async () => {
  await using robot = await startContainerRobot(podman);
  const { order, oldId } = await prepare(robot, archives.crashing);
  const plan = ['kill ^load', 'cut ^start', 'kill ^logs', 'kill ^rename .* fleet-release$', 'cut ^start'];
  expect(await carryOut(robot, order, plan)).toMatchObject({ status: 'rolled_back', reason: 'verify_failed' });
  expect((await current())[0]).toBe(oldId);
  await expectNothingBehind(1);
});

test('after a way back that failed, the next one leads to the container that ran well last', async () => {
  await using robot = await startContainerRobot(podman);
  const { order, oldId } = await prepare(robot, archives.crashing);
  // As if the engine had been away for as long as it took.
  await podman.podman('stop', 'fleet-release');
  await podman.podman('rename', 'fleet-release', 'fleet-release-prev');
  const labels = ['--label', 'fleet.sha256=of-a-bad-one', '--label', 'fleet.order=of-a-bad-one'];
  await podman.podman('create', '--name', 'fleet-release', '--network', 'host', ...labels, 'localhost/base', '/bin/sh');
  robot.start();
  expect(await robot.server.endOf(order)).toMatchObject({ status: 'rolled_back' });
  expect((await current())[0]).toBe(oldId);
  await expectNothingBehind(1);
});

if (!isShort)
  test('kill -9 of the agent at every call of the engine, alone or with it: all ends as if nothing had happened', async () => {
    for (const action of ['kill', 'cut'])
      for (const [archive, status, images] of [
        [archives.good, 'applied', 2],
        [archives.crashing, 'rolled_back', 1],
      ] as const)
        for (let call = 1; ; call += 1) {
          await using robot = await startContainerRobot(podman);
          const { order } = await prepare(robot, archive);
          const others = Array.from({ length: call - 1 }, () => 'pass .');
          await robot.plan(...others, `${action} .`);
          const agent = robot.start();
          const killed = agent.ended.then(() => true);
          const isOver = await Promise.race([killed.then(() => false), robot.server.endOf(order).then(() => true)]);
          if (isOver) break;
          robot.start();
          const where = `${action} at call ${call}`;
          expect(await robot.server.endOf(order), where).toMatchObject({ status });
          await expect.poll(() => podman.containers(), { message: where }).toEqual(['fleet-release running']);
          expect(await podman.images(), where).toHaveLength(images);
        }
  }, 3_600_000);
