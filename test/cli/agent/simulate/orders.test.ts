import { expect, test } from 'vitest';
import type { Order, Report } from '../../../../generated/frames.js';
import { playOrders } from '../../../../cli/agent/simulate/orders.ts';
import { readProfile } from '../../../../cli/agent/simulate/profile.ts';
import { emptyCounts } from '../../../../cli/agent/simulate/tally.ts';
import { startTimerWheel } from '../../../../cli/agent/simulate/timer-wheel.ts';
import { releaseOrder } from '../../../support/orders.ts';

const robots = Array.from({ length: 200 }, (_, index) => `7/${index}`);

/** The last report of each robot on this order, by its seed. Every other robot has to fetch the payload. */
async function endsOf(order: Order, profile: object): Promise<Report[]> {
  const [ends, wheel] = [new Map<string, Report>(), startTimerWheel()];
  const { payload = '', ...short } = order;
  try {
    for (const [index, seed] of robots.entries())
      playOrders({
        profile: readProfile(JSON.stringify({ order_seconds: 0.1, ...profile })),
        ...{ seed, wheel, counts: emptyCounts(), log: () => undefined },
        send: (report) => ends.set(seed, report).size > 0,
        fetchPayload: () => Promise.resolve(payload),
      }).desired([index % 2 === 0 ? order : short]);
    await expect
      .poll(() => [...ends.values()].filter(({ status }) => /^(?:applied|failed|rolled_back)$/.test(status)).length)
      .toBe(robots.length);
  } finally {
    wheel.stop();
  }
  return robots.flatMap((seed) => ends.get(seed) ?? []);
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
