import { expect, test } from 'vitest';
import { repeat } from '../../src/kernel/repeat.ts';

test('jobs that take longer than their interval never run twice at once, and go on after a failure until they are stopped', async () => {
  let [runs, atOnce, most] = [0, 0, 0];
  const failures: unknown[] = [];
  const stop = repeat(
    async () => {
      runs += 1;
      most = Math.max(most, (atOnce += 1));
      await new Promise((resolve) => setTimeout(resolve, 50));
      atOnce -= 1;
      if (runs === 2) throw new Error('the second fails');
    },
    5,
    (error) => failures.push(error),
  );
  expect(runs).toBe(1);
  await expect.poll(() => runs).toBeGreaterThan(4);
  await stop();
  expect(atOnce).toBe(0);
  const before = runs;
  await new Promise((resolve) => setTimeout(resolve, 100)); // ten intervals
  expect(runs).toBe(before);
  expect(most).toBe(1);
  expect(failures).toEqual([new Error('the second fails')]);
});

test('a stop aborts the signal of the current run and waits for its end, whose failure nobody is told of', async () => {
  const failures: unknown[] = [];
  let isOver = false;
  const stop = repeat(
    async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 20));
      isOver = true;
      throw new Error('stopped');
    },
    5,
    (error) => failures.push(error),
  );
  await stop();
  expect([isOver, failures]).toEqual([true, []]);
  await stop();
});
