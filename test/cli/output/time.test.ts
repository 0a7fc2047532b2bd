import { expect, test } from 'vitest';
import { logTime } from '../../../cli/output/time.ts';

test('the time of a log line has its date unless that is today, by the local clock', () => {
  const now = new Date(2026, 10, 22, 0, 0, 5);
  const shown = (at: Date) => logTime(at.toISOString(), now);
  expect(shown(new Date(2026, 10, 22, 0, 0, 1, 7))).toBe('00:00:01.007');
  expect(shown(new Date(2026, 10, 21, 23, 59, 58, 123))).toBe('2026-11-21 23:59:58.123');
  expect(shown(new Date(1970, 0, 1, 0, 5, 11, 471))).toBe('1970-01-01 00:05:11.471');
  expect(logTime('never', now)).toBe('--:--:--.---');
});
