import { expect, test } from 'vitest';
import { createFrameRate } from '../../../../cli/ui/terminal/frame-rate.ts';
import { until } from '../../../support/until.ts';

test('changes of data are told together, ten times a second at most', async () => {
  const pace = createFrameRate();
  const toldAt: number[] = [];
  let wishes = 0;
  const listener = () => void toldAt.push(performance.now());
  const timer = setInterval(() => {
    wishes += 1;
    pace.soon(listener);
  }, 1);
  await until(() => toldAt.length === 5);
  clearInterval(timer);
  pace.forget(listener);
  expect(wishes).toBeGreaterThan(5);
  // A timer may be a millisecond early.
  for (const [index, at] of toldAt.slice(1).entries()) expect(at - (toldAt[index] ?? 0)).toBeGreaterThan(98);
});

test('what a key changes is told at once, with all that waits', async () => {
  const pace = createFrameRate();
  let [data, key] = [0, 0];
  const onData = () => void (data += 1);
  pace.soon(onData);
  await until(() => data === 1);
  pace.soon(onData);
  expect(data).toBe(1);
  pace.atKey(() => pace.soon(() => void (key += 1)));
  expect([data, key]).toEqual([2, 1]);
});

test('while nobody looks nothing is told, and then once', async () => {
  const pace = createFrameRate();
  let told = 0;
  const listener = () => void (told += 1);
  pace.hold();
  pace.soon(listener);
  pace.soon(listener);
  pace.atKey(() => pace.soon(listener));
  expect(told).toBe(0);
  pace.goOn();
  expect(told).toBe(1);
});
