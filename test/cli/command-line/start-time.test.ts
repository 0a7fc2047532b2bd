import { expect, test } from 'vitest';
import { parseStartTime } from '../../../cli/command-line/start-time.ts';

const now = new Date('2026-11-22T12:00:00');

test.each([
  ['in 1h30m', '2026-11-22T13:30:00'],
  ['in 2d', '2026-11-24T12:00:00'],
  ['IN  30m', '2026-11-22T12:30:00'],
  ['22:00', '2026-11-22T22:00:00'],
  ['9:05', '2026-11-23T09:05:00'],
  ['12:00', '2026-11-23T12:00:00'],
  ['today 22:00', '2026-11-22T22:00:00'],
  ['tomorrow 06:00', '2026-11-23T06:00:00'],
  ['tomorrow 22:00', '2026-11-23T22:00:00'],
  ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['2020-01-01T00:00:00+09:00', '2020-01-01T00:00:00+09:00'],
])('%j means %s, on the clock of this machine where it has no zone', (text, at) => {
  expect(parseStartTime(text, now)).toEqual({ at: new Date(at) });
});

test('now has no instant', () => {
  expect(parseStartTime('now', now)).toEqual({});
});

test.each([
  'in',
  'in 5',
  '25:00',
  'tomorrow',
  'today 11:59',
  '22:00Z',
  '2026-11-22T22:00:00',
  '2026-02-30T00:00:00Z',
  'in 99999d',
  '',
])('%j is not a start time', (text) => {
  expect(parseStartTime(text, now)).toHaveProperty('fault');
});
