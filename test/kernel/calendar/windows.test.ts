import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseCron } from '../../../src/kernel/calendar/cron.ts';
import { windowState, type CalendarWindow } from '../../../src/kernel/calendar/windows.ts';
import { instantOf, isZone, wallOf } from '../../../src/kernel/calendar/zone.ts';

const stateAt = (at: string, window: Partial<CalendarWindow>, robotZone?: string) =>
  windowState({ openings: [], zone: 'UTC', ...window }, new Date(at), robotZone);
const nightly = (zone: string, cron = '0 22 * * *', hours = 6) => ({
  zone,
  openings: [{ cron, duration_s: hours * 3_600 }],
});

test('a window is open from its start for its duration, in its zone or that of the robot', () => {
  const berlin = nightly('Europe/Berlin');
  expect(stateAt('2026-11-27T20:59:59Z', berlin)).toEqual({ isOpen: false, opensAt: new Date('2026-11-27T21:00:00Z') });
  expect(stateAt('2026-11-27T21:00:00Z', berlin)).toEqual({ isOpen: true, closesAt: new Date('2026-11-28T03:00:00Z') });
  expect(stateAt('2026-11-28T02:59:59Z', berlin)).toMatchObject({ isOpen: true });
  expect(stateAt('2026-11-28T03:00:00Z', berlin)).toEqual({ isOpen: false, opensAt: new Date('2026-11-28T21:00:00Z') });
  expect(stateAt('2026-11-27T13:00:00Z', nightly('robot'), 'Asia/Tokyo')).toMatchObject({ isOpen: true });
  expect(stateAt('2026-11-27T22:00:00Z', nightly('robot'))).toMatchObject({ isOpen: true });
  expect(stateAt('2026-11-27T21:59:00Z', nightly('robot'))).toMatchObject({ isOpen: false });
});

test('a start that clocks skip is the first instant after the gap, and one that occurs twice opens once', () => {
  const early = nightly('Europe/Berlin', '30 2 * * *', 1);
  // 02:00 becomes 03:00.
  expect(stateAt('2026-03-29T00:59:59Z', early)).toEqual({ isOpen: false, opensAt: new Date('2026-03-29T01:00:00Z') });
  expect(stateAt('2026-03-29T01:00:00Z', early)).toEqual({ isOpen: true, closesAt: new Date('2026-03-29T02:00:00Z') });
  // 03:00 becomes 02:00: it is 02:30 at 00:30 and at 01:30 UTC.
  expect(stateAt('2026-10-25T00:30:00Z', early)).toEqual({ isOpen: true, closesAt: new Date('2026-10-25T01:30:00Z') });
  expect(stateAt('2026-10-25T01:30:00Z', early)).toEqual({ isOpen: false, opensAt: new Date('2026-10-26T01:30:00Z') });
  // Samoa had no 30 December 2011.
  expect(stateAt('2011-12-30T09:59:00Z', nightly('Pacific/Apia', '0 12 30 12 *', 1))).toEqual({
    isOpen: false,
    opensAt: new Date('2011-12-30T10:00:00Z'),
  });
});

test('a window that spans a change of clocks lasts its elapsed time', () => {
  const spring = stateAt('2026-03-28T22:00:00Z', nightly('Europe/Berlin'));
  expect(spring).toEqual({ isOpen: true, closesAt: new Date('2026-03-29T03:00:00Z') });
  const autumn = stateAt('2026-10-24T20:00:00Z', nightly('Europe/Berlin'));
  expect(autumn).toEqual({ isOpen: true, closesAt: new Date('2026-10-25T02:00:00Z') });
});

test('a window stays closed on blackout dates, also within an opening', () => {
  const blackouts = [{ from: '2026-12-24', to: '2026-12-26' }];
  const window = { ...nightly('Europe/Berlin'), blackouts };
  expect(stateAt('2026-12-23T22:30:00Z', window)).toEqual({ isOpen: true, closesAt: new Date('2026-12-23T23:00:00Z') });
  expect(stateAt('2026-12-23T23:00:00Z', window)).toEqual({ isOpen: false, opensAt: new Date('2026-12-26T23:00:00Z') });
  const forever = { ...window, blackouts: [{ from: '2026-01-01', to: '2099-12-31' }] };
  expect(stateAt('2026-12-23T23:00:00Z', forever)).toEqual({ isOpen: false });
});

test('openings that follow each other are one window, and one that never closes has no end', () => {
  const both = {
    zone: 'UTC',
    openings: [
      { cron: '0 1 * * *', duration_s: 3_600 },
      { cron: '30 1 * * *', duration_s: 7_200 },
    ],
  };
  expect(stateAt('2026-05-01T01:10:00Z', both)).toEqual({ isOpen: true, closesAt: new Date('2026-05-01T03:30:00Z') });
  expect(stateAt('2026-05-01T01:10:00Z', nightly('UTC', '* * * * *', 1))).toEqual({ isOpen: true });
  expect(stateAt('2026-05-01T00:00:00Z', nightly('UTC', '0 0 29 2 *', 1))).toMatchObject({
    opensAt: new Date('2028-02-29T00:00:00Z'),
  });
});

test.each([
  ['* * * *', 'needs five fields'],
  ['60 * * * *', '"60" is not a minute'],
  ['0 24 * * *', '"24" is not a hour'],
  ['0 0 0 * *', '"0" is not a day of the month'],
  ['0 0 * * 8', '"8" is not a day of the week'],
  ['0 0 * smarch *', '"smarch" is not a month'],
  ['5-1 * * * *', '"5-1" is not a minute'],
  ['*/0 * * * *', '"*/0" is not a minute'],
  [', * * * *', '"" is not a minute'],
  ['0 0 31 2 *', 'never matches'],
  ['0 0 31 4,6,9,11 *', 'never matches'],
])('the cron %s is refused', (text, fault) => {
  expect(parseCron(text)).toEqual({ fault: expect.stringContaining(fault) });
});

test('a cron takes lists, ranges, steps, names and both Sundays, and either day if it has both', () => {
  const days = (text: string) => {
    const cron = parseCron(text);
    if ('fault' in cron) throw new Error(cron.fault);
    const first = Date.UTC(2026, 1, 1) / 86_400_000; // a Sunday
    return Array.from({ length: 14 }, (_each, index) => index + 1).filter((day) => cron.isDay(first + day - 1));
  };
  expect(parseCron('5,10-11,*/30 1-2 * * *')).toMatchObject({ times: [60, 65, 70, 71, 90, 120, 125, 130, 131, 150] });
  expect(days('0 0 * * MON-fri')).toEqual([2, 3, 4, 5, 6, 9, 10, 11, 12, 13]);
  expect(days('0 0 * FEB 0,7')).toEqual([1, 8]);
  expect(days('0 0 3 2 1')).toEqual([2, 3, 9]);
  expect(days('0 0 31 2 1')).toEqual([2, 9]);
});

test('only names of time zones are zones', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe']) expect(isZone(name)).toBe(true);
  for (const name of ['+01:00', 'Europe/Atlantis', '', 'robot', 'Europe/Berlin\n', 'Asia/To\u212ayo'])
    expect(isZone(name)).toBe(false);
});

test('all spellings of a zone share one format', () => {
  const { DateTimeFormat } = Intl;
  let made = 0;
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, settings: ConstructorParameters<typeof DateTimeFormat>) {
      made += 1;
      return new target(...settings);
    },
  });
  onTestFinished(() => void (Intl.DateTimeFormat = DateTimeFormat));
  const name = 'america/montevideo';
  for (let length = 0; length < name.length; length += 1)
    expect(wallOf(0, name.slice(0, length).toUpperCase() + name.slice(length))).toBe(-3 * 3_600_000);
  expect(made).toBe(1);
});

const minute = 60_000;
/** Around changes of clocks: by an hour, by half of one, by two, by a whole day, by none. */
const places = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['Asia/Kolkata', '2026-06-01T00:00:00Z'],
] as const;

/** An instant, and what clocks show then. */
interface Minute {
  at: number;
  wall: number;
}

/** Each minute of this time. */
const minutesOf = (zone: string, fromMs: number, toMs: number): Minute[] =>
  Array.from({ length: (toMs - fromMs) / minute }, (_each, index) => {
    const at = fromMs + index * minute;
    return { at, wall: wallOf(at, zone) };
  });

/** Every start, found by a walk from minute to minute. */
function walk(text: string, minutes: readonly Minute[]): number[] {
  const cron = parseCron(text);
  if ('fault' in cron) throw new Error(cron.fault);
  const fires = (wall: number) =>
    cron.isDay(Math.floor(wall / 86_400_000)) && cron.times.includes((wall % 86_400_000) / minute);
  const seen = new Set<number>();
  const starts: number[] = [];
  let shown = (minutes[0]?.wall ?? 0) - minute;
  for (const { at, wall } of minutes) {
    for (let each = Math.min(shown + minute, wall); each <= wall; each += minute) {
      if (!seen.has(each) && fires(each)) starts.push(at);
      seen.add(each);
    }
    shown = wall;
  }
  return starts;
}

test.each(places)('in %s around %s, windows are open when a walk from minute to minute says so', (zone, change) => {
  const changeMs = Date.parse(change);
  const around = minutesOf(zone, changeMs - 30 * 60 * minute, changeMs + 30 * 60 * minute);
  const field = (max: number, min = 0) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min, max }).map(String),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
      fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
    );
  const opening = fc.record({
    cron: fc.tuple(field(59), field(4), fc.constant('*'), fc.constant('*'), field(6)).map((all) => all.join(' ')),
    minutes: fc.integer({ min: 1, max: 600 }),
  });
  fc.assert(
    fc.property(opening, ({ cron, minutes }) => {
      const starts = walk(cron, around);
      const window = { zone, openings: [{ cron, duration_s: minutes * 60 }] };
      for (let at = changeMs - 8 * 60 * minute; at < changeMs + 12 * 60 * minute; at += 23 * minute + 13_000) {
        const state = windowState(window, new Date(at), undefined);
        const isOpen = starts.some((start) => start <= at && at < start + minutes * minute);
        expect(state.isOpen, `${cron} for ${minutes} min at ${new Date(at).toISOString()}`).toBe(isOpen);
        const next = starts.find((start) => start > at);
        if (!state.isOpen && next !== undefined) expect(state.opensAt?.getTime()).toBe(next);
      }
    }),
    { numRuns: 10 },
  );
});

test('every minute that clocks show comes back from its instant', () => {
  const zones = fc.constantFrom(...places.map(([zone]) => zone));
  fc.assert(
    fc.property(zones, fc.integer({ min: 0, max: 2 ** 22 }), (zone, minutes) => {
      const at = Date.UTC(2024, 0, 1) + minutes * minute;
      const wall = wallOf(at, zone);
      const back = instantOf(wall, zone);
      expect(wallOf(back, zone)).toBe(wall);
      expect(back).toBeLessThanOrEqual(at);
    }),
  );
});
