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
  ['yesterday', '2026-11-21T00:00:00'],
  ['Today', '2026-11-22T00:00:00'],
  ['2026-11-20', '2026-11-20T00:00:00'],
  ['2026-11-20 22:15', '2026-11-20T22:15:00'],
  ['2026-11-20 22:15:31.5', '2026-11-20T22:15:31.500'],
  ['2026-11-20T22:15:31', '2026-11-20T22:15:31'],
])('%j means %s, on the clock of this machine', (text, at) => {
  expect(parsePastTime(text, now)).toEqual(new Date(at));
});

test.each(['', 'tomorrow', '25:00', '02:60', 'tomorrow 02:00', '2026-02-30', '2026-11-20 24:00', '20261120', '11-20'])(
  '%j is not a time before now',
  (text) => {
    expect(parsePastTime(text, now)).toBeUndefined();
  },
);

const range = (since: string, until: string) => rangeOf({ text: (name) => (name === 'since' ? since : until) });
const instant = (wall: string) => new Date(wall).toISOString();

test.each([
  ['2026-11-21T22:00', '23:30', '2026-11-21T23:30'],
  ['2026-11-21 22:00', '01:15', '2026-11-22T01:15'],
  ['2026-11-21 00:00', '9:00', '2026-11-21T09:00'],
  ['2026-11-21 09:00', '09:00', '2026-11-22T09:00'],
])('of --since %j, the time of day %j as --until is the first one after it', (since, until, end) => {
  expect(range(since, until)).toEqual({ since: instant(since), until: instant(end) });
});

test('an end before the beginning is refused', () => {
  expect(() => range('2026-11-21', '2020-01-01')).toThrow('--since is after --until');
});
