import { expect, test, vi } from 'vitest';
import { clockWithSleep } from '../../../../cli/ui/data/clock.ts';

test('the clock of the stores counts the time in which the machine slept, and never goes back', () => {
  vi.useFakeTimers();
  try {
    const now = clockWithSleep();
    const beganMs = now();
    vi.advanceTimersByTime(5_000);
    expect(now() - beganMs).toBe(5_000);
    // The monotonic clock stood still.
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(now() - beganMs).toBe(3_605_000);
    vi.advanceTimersByTime(1_000);
    expect(now() - beganMs).toBe(3_606_000);
    for (const correctionMs of [500, -60_000]) {
      vi.setSystemTime(Date.now() + correctionMs);
      expect(now() - beganMs).toBe(3_606_000);
    }
  } finally {
    vi.useRealTimers();
  }
});
