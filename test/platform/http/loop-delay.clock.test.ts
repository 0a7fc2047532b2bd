import { expect, onTestFinished, test, vi } from 'vitest';
import { createLoopDelay } from '../../../src/platform/http/dispatch/loop-delay.ts';

const nowMs = () => performance.now();

test('the delay of the event loop is measured after a request', async () => {
  const delays: number[] = [];
  createLoopDelay((lateMs) => void delays.push(lateMs), nowMs).noteRequest();
  const untilMs = nowMs() + 100;
  while (nowMs() < untilMs);
  await expect.poll(() => delays[0]).toBeGreaterThan(50);
});

test('the delay is measured while requests arrive, and not after it', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const delays: number[] = [];
  const loopDelay = createLoopDelay((lateMs) => void delays.push(lateMs), nowMs);
  for (let request = 0; request < 10; request += 1) {
    loopDelay.noteRequest();
    vi.advanceTimersByTime(20);
  }
  expect(delays.length).toBe(10);
  vi.advanceTimersByTime(60_000);
  expect(delays.length).toBeLessThan(13);
});
