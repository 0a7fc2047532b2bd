import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  forecastWaves,
  forecastWhole,
  type ForecastFacts,
  type WaveForecast,
} from '../../../../src/deployments/engine/plans/forecast.ts';
import { windowState } from '../../../../src/kernel/calendar/windows.ts';
import { readRollout, windowFor, type RolloutCreate } from '../../../../src/rollout-policies/service.ts';

const nowMs = Date.parse('2026-11-23T12:00:00Z'); // a Monday
const minute = 60_000;
const duration = { robots: 50, medianSeconds: 60, p90Seconds: 300 };

const online = (...counts: number[]) => counts.map((robots) => ({ robots, online: robots, zones: ['UTC'] }));
const forecast = (rollout: Omit<RolloutCreate, 'waves'> | undefined, facts: Partial<ForecastFacts> = {}) =>
  forecastWaves({
    nowMs,
    waves: online(10, 10),
    duration,
    held: undefined,
    rollout: rollout && readRollout('rollout', { waves: [{ count: 10 }], ...rollout }),
    ...facts,
  });
/** In minutes from now. */
const inMinutes = ({ startsAtMs: from, endsAtMs: to, reason }: WaveForecast) => [
  from === undefined ? undefined : (from - nowMs) / minute,
  to === undefined ? undefined : (to - nowMs) / minute,
  ...(reason === undefined ? [] : [reason]),
];

test('without a rollout, all robots end when 9 of 10 usually have; one robot when half usually have', () => {
  expect(forecast(undefined, { waves: online(10) }).map(inMinutes)).toEqual([[0, 5]]);
  expect(forecast(undefined, { waves: online(1) }).map(inMinutes)).toEqual([[0, 1]]);
});

test('a wave begins after the one before and its soak time; one without robots takes no time', () => {
  const waves = online(10, 0, 10);
  const found = forecast({ advance: { soak: '30m' } }, { waves });
  expect(found.map(inMinutes)).toEqual([
    [0, 5],
    [35, 35],
    [35, 40],
  ]);
  expect(forecastWhole(found)).toEqual({ startsAtMs: nowMs, endsAtMs: nowMs + 40 * minute, durationSeconds: 2_400 });
});

describe('the pace of a rollout', () => {
  test('robots in flight at the same time make rounds', () => {
    expect(forecast({ pace: { max_in_flight: 3 } }).map(inMinutes)).toEqual([
      [0, 8],
      [8, 16],
    ]);
  });

  test('a rate takes its time, and grows with the robots of all waves', () => {
    expect(forecast({ pace: { per_minute: 2 } }).map(inMinutes)).toEqual([
      [0, 10],
      [10, 20],
    ]);
    const growing = { per_minute: 2, growth: { factor: 2, after_applied: 5, up_to: 8 } };
    expect(forecast({ pace: growing }).map(inMinutes)).toEqual([
      [0, 2.5 + 1.25 + 5],
      [8.75, 8.75 + 1.25 + 5],
    ]);
  });
});

describe('what a forecast cannot know', () => {
  test('nothing is known before an approval but how long each wave takes', () => {
    const found = forecast({}, { held: 'approval' });
    expect(found).toEqual([1, 2].map(() => ({ reason: 'approval', durationSeconds: 300 })));
    expect(forecastWhole(found)).toEqual({ reason: 'approval' });
  });

  test.each(['pause', 'approval'] as const)('with `then` %s, only the first wave is known', (then) => {
    const approval = then === 'approval' ? { approval: {} } : {};
    const reason = then === 'pause' ? 'paused' : 'approval';
    const found = forecast({ advance: { then }, ...approval });
    expect(found.map(inMinutes)).toEqual([
      [0, 5],
      [undefined, undefined, reason],
    ]);
    expect(forecastWhole(found)).toEqual({ startsAtMs: nowMs, reason });
  });

  test('robots that are offline hold up their wave, unless enough others apply it or they may be left behind', () => {
    const waves = [{ robots: 10, online: 8, zones: ['UTC'] }, ...online(10)];
    expect(forecast({}, { waves }).map(inMinutes)).toEqual([
      [0, 5, 'robots_offline'],
      [undefined, undefined, 'robots_offline'],
    ]);
    const second = [5, 10];
    expect(forecast({ advance: { applied_percent: 80 } }, { waves }).map(inMinutes)).toEqual([[0, 5], second]);
    expect(forecast({ advance: { offline_after: '20m' } }, { waves }).map(inMinutes)).toEqual([
      [0, 5],
      [20, 25],
    ]);
    const none = [{ robots: 10, online: 0, zones: ['UTC'] }, ...online(10)];
    expect(forecast({ advance: { offline_after: '20m' } }, { waves: none })[0]).toEqual({ reason: 'robots_offline' });
  });

  test('robots of the last wave that are offline receive it later', () => {
    const waves = [{ robots: 10, online: 9, zones: ['UTC'] }];
    expect(forecast(undefined, { waves }).map(inMinutes)).toEqual([[0, 5, 'robots_offline']]);
  });
});

describe('windows', () => {
  const nightly = { activate: [{ cron: '0 22 * * *', duration: '4h' }] };

  test('a wave begins when its window opens, in the zone of its robots', () => {
    const waves = [{ robots: 10, online: 10, zones: ['Asia/Tokyo', 'UTC'] }];
    // 22:00 in Tokyo is 13:00 UTC.
    expect(forecast({ windows: { ...nightly, zone: 'robot' } }, { waves }).map(inMinutes)).toEqual([[60, 605]]);
    expect(forecast({ windows: { ...nightly, zone: 'Asia/Tokyo' } }, { waves }).map(inMinutes)).toEqual([[60, 65]]);
  });

  test('what the pace does not send in one window follows in the next', () => {
    const windows = { download: [{ cron: '0 12 * * *', duration: '1h' }], zone: 'UTC' };
    const found = forecast({ windows, pace: { per_minute: 0.1 } }, { waves: online(10) });
    expect(found.map(inMinutes)).toEqual([[0, 24 * 60 + 40 + 5]]);
  });

  test('a window that never opens again makes the wave and all later ones unknown', () => {
    const windows = { ...nightly, zone: 'UTC', blackouts: [{ from: '2026-01-01', to: '2100-01-01' }] };
    expect(forecast({ windows }).map(inMinutes)).toEqual([1, 2].map(() => [undefined, undefined, 'window']));
  });
});

test('waves never overlap, and none begins while its windows are closed', () => {
  const count = fc.integer({ min: 0, max: 5_000 });
  const opening = fc.record({
    cron: fc.constantFrom('0 22 * * *', '30 1 * * 1-5', '0 */6 * * *', '15 12 1 * *'),
    duration: fc.constantFrom('30m', '2h', '24h', '3d'),
  });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe');
  const openings = fc.option(fc.array(opening, { minLength: 1, maxLength: 3 }), { nil: undefined });
  const rollouts = fc.record({
    soak: fc.constantFrom('0s', '10m', '2d'),
    percent: fc.integer({ min: 0, max: 100 }),
    offlineAfter: fc.constantFrom(undefined, '5m'),
    inFlight: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    rate: fc.option(fc.double({ min: 0.5, max: 1_000, noNaN: true }), { nil: undefined }),
    download: openings,
    activate: openings,
    zone,
  });
  const waves = fc.array(fc.tuple(count, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(rollouts, waves, fc.integer({ min: 0, max: 3_000_000 }), (each, sizes, minutes) => {
      const fromMs = nowMs + minutes * minute;
      const { download, activate } = each;
      const windows = (download ?? activate) && {
        ...(download && { download }),
        ...(activate && { activate }),
        zone: each.zone,
      };
      const pace = {
        ...(each.inFlight && { max_in_flight: each.inFlight }),
        ...(each.rate && { per_minute: each.rate }),
      };
      const rollout = readRollout('rollout', {
        waves: [{ count: 1 }],
        advance: {
          soak: each.soak,
          applied_percent: each.percent,
          ...(each.offlineAfter && { offline_after: each.offlineAfter }),
        },
        ...(Object.keys(pace).length > 0 && { pace }),
        ...(windows && { windows }),
      });
      const found = forecastWaves({
        nowMs: fromMs,
        rollout,
        duration,
        held: undefined,
        waves: sizes.map(([robots, share]) => ({ robots, online: Math.round(robots * share), zones: ['UTC'] })),
      });
      let before = fromMs;
      for (const [index, { startsAtMs, endsAtMs, reason }] of found.entries()) {
        if (startsAtMs === undefined || endsAtMs === undefined) expect(reason).toBeDefined();
        else {
          expect(startsAtMs).toBeGreaterThanOrEqual(before);
          expect(endsAtMs).toBeGreaterThanOrEqual(startsAtMs);
          before = endsAtMs;
          if (rollout.windows && (sizes[index]?.[0] ?? 0) > 0) {
            const window = windowFor(activate ? 'activate' : 'download', rollout.windows);
            expect(window && windowState(window, new Date(startsAtMs), undefined).isOpen).toBe(true);
          }
        }
      }
      expect(forecastWhole(found).endsAtMs === undefined).toBe(found.some((wave) => wave.endsAtMs === undefined));
    }),
    { numRuns: 300 },
  );
});
