import { expect, test } from 'vitest';
import type { Order, Report } from '../../../../generated/frames.js';
import { readProfile } from '../../../../cli/agent/simulate/read-profile.ts';
import { traitsOf } from '../../../../cli/agent/simulate/traits.ts';
import { configOrder, releaseOrder } from '../../../support/orders.ts';
import { isEnd, players, seeds as robots } from './support.ts';

/** The last report of each robot on this order. Every other robot has to fetch the payload. */
async function endsOf(order: Order, profile: object): Promise<Report[]> {
  const { payload = '', ...short } = order;
  using played = players(profile, { payload });
  for (const [index, player] of played.all.entries()) player.orders.desired([index % 2 === 0 ? order : short]);
  const ends = () => played.all.flatMap(({ reports }) => reports.filter(isEnd));
  await expect.poll(() => ends().length).toBe(robots.length);
  return ends();
}

const seedsOf = (ends: Report[], status: string) => robots.filter((_, index) => ends[index]?.status === status);

test('a bad release is rolled back by its share of the robots, by the same ones each time, and others apply it', async () => {
  const profile = { bad_release: 'nav-2', bad_release_percent: 30 };
  const bad = () => releaseOrder('file', 'x', {}, 'nav-2');
  const ends = await endsOf(bad(), profile);
  const prone = seedsOf(ends, 'rolled_back');
  expect(prone.length).toBeGreaterThan(40);
  expect(prone.length).toBeLessThan(80);
  expect(seedsOf(ends, 'applied')).toHaveLength(robots.length - prone.length);
  expect(ends.find(({ status }) => status === 'rolled_back')).toMatchObject({
    reason: 'verify_failed',
    message: expect.stringMatching(/exited with 1/) as string,
  });
  expect(seedsOf(await endsOf(bad(), profile), 'rolled_back')).toEqual(prone);
});

test('robots apply every other release, and without a percentage all of them roll the bad one back', async () => {
  const profile = { bad_release: 'nav-2' };
  const ends = await endsOf(releaseOrder('file', 'x', {}, 'nav-1'), profile);
  expect(seedsOf(ends, 'applied')).toHaveLength(robots.length);
  const bad = await endsOf(releaseOrder('file', 'x', {}, 'nav-2'), profile);
  expect(seedsOf(bad, 'rolled_back')).toHaveLength(robots.length);
});

test('orders fail in the ways of agents, each by its share, and a seed gives the same ones again', async () => {
  const shares = {
    fail_percent: [5, 'failed', 'install_failed'],
    rollback_percent: [10, 'rolled_back', 'verify_failed'],
    reject_percent: [15, 'failed', 'no_handler'],
    download_fail_percent: [12, 'failed', 'download_failed'],
    no_space_percent: [18, 'failed', 'no_space'],
    verify_fail_percent: [20, 'failed', 'verify_failed'],
  } as const;
  const profile = Object.fromEntries(Object.entries(shares).map(([key, [percent]]) => [key, percent]));
  const order = configOrder([{ key: 'a', value: '1' }], { sequence: 41 });
  const ends = await endsOf(order, profile);
  for (const [key, [percent, status, reason]] of Object.entries(shares)) {
    const found = ends.filter((end) => end.status === status && end.reason === reason);
    expect((found.length / robots.length) * 100, key).toBeGreaterThan(percent / 2);
    expect((found.length / robots.length) * 100, key).toBeLessThan(percent * 1.5);
    for (const { message } of found) expect(message, key).toMatch(/ /);
  }
  expect(seedsOf(ends, 'applied').length).toBeGreaterThan(20);
  expect((await endsOf(order, profile)).map(({ reason }) => reason)).toEqual(ends.map(({ reason }) => reason));
});

test('an order with a trace context ends with the steps that were played and the one that failed, and no other order has any', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const order = configOrder([{ key: 'a', value: '1' }], { traceparent });
  const [applied] = await endsOf(order, {});
  const names = (report: Report | undefined) => report?.steps?.map(({ step, failed }) => (failed ? `${step}!` : step));
  expect(names(applied)).toEqual(['download', 'install', 'verify']);
  for (const { duration_ms: ms } of applied?.steps ?? []) expect(ms).toBeGreaterThan(0);
  const [back] = await endsOf(order, { rollback_percent: 100 });
  expect(names(back)).toEqual(['download', 'install', 'verify!', 'rollback']);
  const [failed] = await endsOf(order, { download_fail_percent: 100 });
  expect(names(failed)).toEqual(['download!']);
  const [plain] = await endsOf(configOrder([{ key: 'a', value: '1' }]), {});
  expect(plain).not.toHaveProperty('steps');
});

test('an order that times out has no end: the next one of its lane begins when the service gives it up', async () => {
  using played = players({ timeout_percent: 100 }, { seeds: ['7/1'] });
  const [player] = played.all;
  const [first, next] = [configOrder([{ key: 'a', value: '1' }]), configOrder([{ key: 'a', value: '2' }])];
  played.give(first, next);
  await expect.poll(() => player?.reports.length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(player?.reports.some(isEnd)).toBe(false);
  expect(player?.reports.every((report) => report.order_id === first.order_id)).toBe(true);
  expect(player?.orders.holding().map(({ order_id: id }) => id)).toEqual([first.order_id]);
  played.give(next);
  expect(player?.last()).toMatchObject({ order_id: next.order_id, status: 'downloading' });
  expect(player?.counts).toMatchObject({ orders_begun: 2, orders_timed_out: 1 });
});

test('on a slow disk an order takes longer by the factor', async () => {
  const times = await Promise.all(
    [0, 100].map(async (slow_disk_percent) => {
      using played = players({ slow_disk_percent, slow_disk_factor: 12 }, { seeds: ['7/1'] });
      const began = performance.now();
      played.give(configOrder([{ key: 'a', value: '1' }]));
      await expect.poll(() => played.all[0]?.last()?.status, { interval: 5 }).toBe('applied');
      return performance.now() - began;
    }),
  );
  expect(times[1]).toBeGreaterThan((times[0] ?? 0) + 400);
});

test('traits come from the seed alone, each by its share of the robots', () => {
  const shares = {
    gates_percent: 40,
    old_agent_percent: 20,
    slow_disk_percent: 30,
    drift_percent: 10,
    offline_percent: 25,
  };
  const profile = readProfile(JSON.stringify({ ...shares, slow_disk_factor: 3 }));
  const many = Array.from({ length: 2_000 }, (_, index) => traitsOf(`9/${index}`, profile));
  const share = (has: (traits: ReturnType<typeof traitsOf>) => boolean) => many.filter(has).length / many.length;
  expect(share(({ gates }) => gates.batteryPercent === 30 && gates.noMission === true)).toBeCloseTo(0.4, 1);
  expect(share(({ gates }) => gates.docked === true)).toBeCloseTo(0.04, 1);
  expect(share(({ isOld }) => isOld)).toBeCloseTo(0.2, 1);
  expect(share(({ slowness }) => slowness === 3)).toBeCloseTo(0.3, 1);
  expect(share(({ drifts }) => drifts)).toBeCloseTo(0.1, 1);
  expect(share(({ isOftenOffline }) => isOftenOffline)).toBeCloseTo(0.25, 1);
  expect(traitsOf('9/7', profile)).toEqual(many[7]);
});
