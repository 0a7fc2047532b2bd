import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keyedThrottle } from '../../src/agent-links/keyed-throttle.ts';

const minuteMs = 60_000;

function throttled(work: (item: number) => Promise<void> = () => Promise.resolve(), longestMs = minuteMs) {
  const runs: number[] = [];
  const errors: unknown[] = [];
  const throttle = keyedThrottle<number>(
    { firstMs: 20, longestMs },
    (item) => {
      runs.push(item);
      return work(item);
    },
    (error) => errors.push(error),
  );
  return { ...throttle, runs, errors, [Symbol.dispose]: throttle.stop };
}

test('a request runs at once, and one that follows it closely soon after, with the newest item', async () => {
  using throttle = throttled();
  throttle.ask('a', 1);
  expect(throttle.runs).toEqual([1]);
  throttle.ask('a', 2);
  throttle.ask('a', 3);
  expect(throttle.runs).toEqual([1]);
  await expect.poll(() => throttle.runs, { timeout: minuteMs / 2 }).toEqual([1, 3]);
  throttle.ask('a', 4); // after the pause or within it
  await expect.poll(() => throttle.runs, { timeout: minuteMs / 2 }).toEqual([1, 3, 4]);
});

test('a lasting stream of requests runs less and less often', async () => {
  using throttle = throttled();
  const startedAt = performance.now();
  for (let item = 0; performance.now() - startedAt < 1_000; item += 1) {
    throttle.ask('a', item);
    await sleep(5);
  }
  // After 0, 20, 60, 140, 300, 620 ms, and at most once more.
  expect(throttle.runs.length).toBeGreaterThan(1);
  expect(throttle.runs.length).toBeLessThanOrEqual(7);
});

test('requests for another key do not wait for the pause of the first, and failed work is requested again', async () => {
  const failed = new Set<number>();
  using throttle = throttled((item) => {
    if (failed.has(item)) return Promise.resolve();
    failed.add(item);
    return Promise.reject(new Error(`${item} failed`));
  });
  throttle.ask('a', 1);
  throttle.ask('b', 2);
  await expect.poll(() => throttle.runs.toSorted(), { timeout: minuteMs / 2 }).toEqual([1, 1, 2, 2]);
  expect(throttle.errors.map(String)).toEqual(['Error: 1 failed', 'Error: 2 failed']);
});

test('after the longest pause without a run, the next one is the first again', async () => {
  using throttle = throttled(undefined, 100);
  const soonAgain = async (item: number) => {
    throttle.ask('a', item);
    throttle.ask('a', item + 1);
    await expect.poll(() => throttle.runs.at(-1), { timeout: minuteMs / 2 }).toBe(item + 1);
  };
  await soonAgain(1);
  await sleep(300);
  await soonAgain(3);
  expect(throttle.runs).toEqual([1, 2, 3, 4]);
});

test('a request that comes while its work runs is not lost, and none runs after the end', async () => {
  let finish = (): void => undefined;
  using throttle = throttled(() => new Promise((resolve) => (finish = resolve)));
  throttle.ask('a', 1);
  await sleep(60); // longer than the pause
  throttle.ask('a', 2);
  expect(throttle.runs).toEqual([1]);
  finish();
  await expect.poll(() => throttle.runs, { timeout: minuteMs / 2 }).toEqual([1, 2]);
  throttle.ask('a', 3);
  throttle.stop();
  finish();
  await sleep(100);
  expect(throttle.runs).toEqual([1, 2]);
});
