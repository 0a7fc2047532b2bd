import { expect, test } from 'vitest';
import { parsePastTime } from '../../../cli/command-line/past-time.ts';
import { rangeOf } from '../../../cli/command-line/time-range.ts';

const now = new Date('2026-11-22T02:30:00');

test.each([
  ['02:13', '2026-11-22T02:13:00'],
  ['2:13', '2026-11-22T02:13:00'],
  ['02:13:05.123456', '2026-11-22T02:13:05.123'],
  ['22:00', '2026-11-21T22:00:00'],
  ['02:30', '2026-11-22T02:30:00'],
  ['today 02:00', '2026-11-22T02:00:00'],
  ['Yesterday  02:00', '2026-11-21T02:00:00'],
  ['2026-11-20', '2026-11-20T00:00:00'],
  ['2026-11-20 22:15', '2026-11-20T22:15:00'],
  ['2026-11-20 22:15:31.5', '2026-11-20T22:15:31.500'],
  ['2026-11-20T22:15:31', '2026-11-20T22:15:31'],
])('%j means %s, on the clock of this machine', (text, at) => {
  expect(parsePastTime(text, now)).toEqual(new Date(at));
});

test.each(['', 'yesterday', '25:00', '02:60', 'tomorrow 02:00', '2026-02-30', '2026-11-20 24:00', '20261120', '11-20'])(
  '%j is not a time before now',
  (text) => {
    expect(parsePastTime(text, now)).toBeUndefined();
  },
);

test('a time of day as the end is the first one after the beginning', () => {
  const minute = (ms: number) => {
    const at = new Date(ms);
    at.setSeconds(0, 0);
    return at;
  };
  const [begin, end] = [minute(Date.now() - 3_600_000), minute(Date.now() + 120_000)];
  const clock = (at: Date) => `${at.getHours()}:${String(at.getMinutes()).padStart(2, '0')}`;
  const texts: Record<string, string> = { since: begin.toISOString(), until: clock(end) };
  expect(rangeOf({ text: (name) => texts[name] })).toEqual({ since: texts['since'], until: end.toISOString() });
  texts['until'] = '2020-01-01';
  expect(() => rangeOf({ text: (name) => texts[name] })).toThrow('--since is after --until');
});
