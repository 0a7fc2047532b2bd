import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { checkRows } from '../deployments/engine/support.ts';
import type { PassingFrame } from '../support/agent-proxy.ts';
import { factories } from '../support/factories.ts';
import { startOrderRobot, type DiskLane, type OrderRobot } from './order-robot.ts';
import { robotsOf } from '../support/robots.ts';
import { tempDir } from '../support/temp-dir.ts';
import { startIsolatedWorld, type World } from '../support/world.ts';

const isShort = process.env['FAULT_ROUNDS'] === undefined;
/** In the long form only those of which cancellation and report were apart by no more than `besideMs`; a busy machine makes more of them. */
const races = isShort ? 150 : 5_000;
const robotCount = 25;
const besideMs = 50;
/** Of the robots that were asked to stop, every other report is held up for as long at most. */
const maxLateMs = 500;
/** A race takes no longer, on a machine that is busy too. */
const endsWithinMs = 30_000;

/**
 * Where they race. At the service: the request to cancel comes beside the robot's report of the end, which decides, as the robot has done it. At the
 * robot: the list that asks it to stop comes beside that report; the order was on its way for so long that the list is right behind it.
 */
const places = ['robot', 'service'] as const;
type Place = (typeof places)[number];
/** When the robot is asked to stop: at once, or as it says so. */
const moments = [undefined, 'downloading', 'installing', 'verifying'];
const maxIntoStepMs = 5;

/** One race, as it came out. */
interface Outcome {
  place: Place;
  lane: string;
  deployment: string;
  status: string;
  /** What the request to cancel was answered. */
  answer: number;
  /** From the cancellation to the report; below 0 if the report came first. */
  apartMs: number;
}

const isBeside = ({ apartMs }: Outcome) => Math.abs(apartMs) <= besideMs;

interface Event {
  status: string;
  target_status?: string;
}

const isEnd = (status = '') => ['applied', 'failed', 'rolled_back', 'cancelled'].includes(status);

test(
  'a cancellation beside the report of the end: one of them wins for good, and the disk of the robot agrees with the service',
  async ({ annotate }) => {
    await using world = await startIsolatedWorld();
    await using folder = await tempDir();
    const identities = await robotsOf(world).enrollMany(robotCount);
    const robots = await Promise.all(
      identities.map((identity) => startOrderRobot(world, identity, join(folder.path, identity.robot_id))),
    );
    try {
      const outcomes: Outcome[] = [];
      const failures: unknown[] = [];
      const isDone = () => failures.length > 0 || (isShort ? outcomes : outcomes.filter(isBeside)).length >= races;
      const run = async (robot: OrderRobot, index: number) => {
        const race = racesOf(world, robot);
        for (let round = index; !isDone(); round += 1) outcomes.push(await within(race(round)));
      };
      // The others end what they are at.
      await Promise.all(
        robots.map((robot, index) => run(robot, index).catch((error: unknown) => void failures.push(error))),
      );
      expect(failures.map(String)).toEqual([]);
      await checkAll(world, robots, outcomes);

      const beside = outcomes.filter(isBeside);
      const count = (among: readonly Outcome[], like: Partial<Outcome>) =>
        among.filter((outcome) => Object.entries(like).every(([key, is]) => outcome[key as keyof Outcome] === is))
          .length;
      const applied = { status: 'applied' };
      const cancelled = { status: 'cancelled' };
      await annotate(
        `${beside.length} races within ${besideMs} ms: at the robot ${count(beside, { place: 'robot', ...applied })} applied, ` +
          `${count(beside, cancelled)} cancelled; at the service ${count(beside, { place: 'service', ...applied })} applied, ` +
          `${count(beside, { answer: 409 })} of them before the request`,
      );
      await annotate(
        `${outcomes.length} races in all: ${count(outcomes, applied)} applied, ${count(outcomes, cancelled)} cancelled`,
      );
      for (const lane of ['config', 'file', 'script'])
        for (const status of ['applied', 'cancelled'])
          expect(count(outcomes, { place: 'robot', lane, status })).toBeGreaterThan(0);
      for (const answer of [200, 409]) expect(count(outcomes, { place: 'service', answer })).toBeGreaterThan(0);
    } finally {
      await Promise.all(robots.map((robot) => robot[Symbol.asyncDispose]()));
    }
  },
  60_000 + races * 400,
);

/** Gives what runs one race of the robot after the other, in each lane and place in turn. */
function racesOf(world: World, { robotId, front, lanes }: OrderRobot) {
  const make = factories(world);
  const known = new Set<string>();

  /** Orders, and gives the order while its frame is held up. */
  async function begin(lane: DiskLane) {
    let orderId = '';
    const frame = front.hold('server', ({ items = [] }) => {
      const fresh = items.find(({ order_id: id }) => !known.has(id));
      orderId = fresh?.order_id ?? '';
      return fresh !== undefined;
    });
    const wish = { ...(await lane.next()), target_kind: 'robot', target_id: robotId };
    const { id: deployment } = await make.deployment(wish);
    await frame.reached;
    known.add(orderId);
    return { deployment: deployment as string, orderId, frame };
  }

  /** Holds up what has to come together, lets it come together, and waits for the acknowledgement of the end. */
  return async function race(round: number): Promise<Outcome> {
    const lane = pick(lanes, round);
    const place = pick(places, Math.floor(round / lanes.length));
    const before = await lane.onDisk();
    const { deployment, orderId, frame } = await begin(lane);
    const isOf = ({ order_id: id }: { order_id?: string }) => id === orderId;
    const report = (isSaid: (status: string) => boolean) => (said: PassingFrame) =>
      said.type === 'report' && isOf(said) && said.status !== undefined && isSaid(said.status);
    const end = front.hold('agent', report(isEnd));
    const over = front.passes('server', (said) => said.type === 'report_ack' && isOf(said) && said.ended === true);
    const cancel = async () => (await world.call('POST', `${lane.path}/${deployment}/cancel`)).status;
    let answer: Promise<number>;
    let cancelledMs = 0;
    let reportedMs = 0;

    if (place === 'robot') {
      const stop = front.hold('server', ({ items = [] }) => items.some((item) => isOf(item) && item.cancel));
      answer = cancel();
      await stop.reached;
      const moment = pick(moments, Math.floor(Math.random() * moments.length));
      const isMoment = report((status) => status === moment);
      const comes = moment && front.passes('agent', isMoment);
      frame.release();
      await comes;
      if (Math.random() < 0.5) await sleep(Math.random() * maxIntoStepMs);
      cancelledMs = performance.now();
      stop.release();
      await end.reached;
      reportedMs = performance.now();
      if (Math.random() < 0.5) await sleep(Math.random() * maxLateMs);
    } else {
      frame.release();
      await end.reached;
      answer = sleep(Math.random() * 2 * besideMs).then(() => {
        cancelledMs = performance.now();
        return cancel();
      });
      await sleep(besideMs);
      reportedMs = performance.now();
    }
    end.release();
    await over;
    const told = { place, lane: lane.name, deployment, answer: await answer, apartMs: reportedMs - cancelledMs };
    return { ...told, status: await checkEnd(world, lane, told, robotId, before) };
  };
}

async function within<T>(race: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(endsWithinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`a race did not end within ${endsWithinMs} ms`);
  });
  return Promise.race([race, late]).finally(() => over.abort());
}

/** In turn. */
const pick = <Item>(items: readonly Item[], number: number): Item => items[number % items.length] as Item; // there is one

/** Holds what the API says against the disk, as soon as the order is over; gives the status. */
async function checkEnd(
  world: World,
  lane: DiskLane,
  { deployment, answer }: Omit<Outcome, 'status'>,
  robotId: string,
  before: string | undefined,
) {
  const read = async (path: string) => (await world.call('GET', path)).body;
  const events = (await read(`${lane.path}/${deployment}/events`)).items as Event[];
  const { status = 'unknown' } = events.at(-1) ?? {};
  const told = `${lane.name} ${deployment} is ${status} after the answer ${answer}`;
  expect(answer === 200 || (answer === 409 && status === 'applied'), told).toBe(true);
  const endings = events.flatMap(({ target_status: end }) => (isEnd(end) ? [end] : []));
  expect(endings, told).toEqual([status]);
  const shown = await lane.onDisk();
  expect({ status, shown }, told).toEqual(
    status === 'applied' ? { status, shown: lane.wanted(deployment) } : { status: 'cancelled', shown: before },
  );
  expect(lane.said((await read(`/api/robots/${robotId}`)).data.reported), told).toBe(shown);
  return status;
}

/** What came afterwards changed nothing, and nothing was done that is not told of. */
async function checkAll(world: World, robots: readonly OrderRobot[], outcomes: readonly Outcome[]): Promise<void> {
  const { db } = world;
  await checkRows(db);
  const seen = outcomes.map(({ deployment, status }) => [deployment, status]).toSorted();
  const lists = await Promise.all(
    ['/api/deployments', '/api/configs/deployments'].map(async (path) => (await world.call('GET', path)).body.items),
  );
  const said = (lists.flat() as { id: string; status: string }[]).map(({ id, status }) => [id, status]);
  expect(said.toSorted()).toEqual(seen);
  const events = await db<{ deployment_id: string; target_status: string | null }>('deployment_events');
  const endings = events.filter(({ target_status: end }) => end !== null && isEnd(end));
  expect(endings.map(({ deployment_id: id, target_status: end }) => [id, end]).toSorted()).toEqual(seen);
  const runs = (await Promise.all(robots.map((robot) => robot.runs()))).flat();
  const applied = outcomes.filter(({ lane, status }) => lane === 'script' && status === 'applied');
  expect(runs.toSorted()).toEqual(applied.map(({ deployment }) => deployment).toSorted());
}
