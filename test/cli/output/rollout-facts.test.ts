import { expect, test } from 'vitest';
import type { Rollout } from '../../../cli/api/api.ts';
import { paceFact, rolloutFacts } from '../../../cli/output/rollout-facts.ts';

const advance: Rollout['advance'] = { applied_percent: 95, min_ended: 3, soak: '30m', then: 'advance' };
const factsOf = (waves: Rollout['waves'], abort: Rollout['abort'] = [], pace: Rollout['pace'] = {}) =>
  rolloutFacts({
    id: 'policy-1',
    name: 'careful',
    rollout: { waves, advance, abort, pace },
    created_at: '',
    updated_at: '',
  });
const wavesOf = (...waves: Rollout['waves']) => Object.fromEntries(factsOf(waves))['Waves'];

test('a plan has the waves of its policy, when the next one begins, what stops it, and its pace', () => {
  const rule = { reasons: ['any'], percent: 5, min_ended: 10, per: 'rollout', action: 'cancel' };
  expect(factsOf([{ name: 'canaries', selector: 'tier=canary' }, { percent: 10 }], [rule], { per_minute: 10 })).toEqual(
    [
      ['Rollout', 'careful'],
      ['Waves', 'canaries: tier=canary; 10%; then any others'],
      ['Next wave', '95% applied, 3 ended, soak 30m, then advance'],
      ['Approval', undefined],
      ['Older ones', undefined],
      ['Abort', 'any 5% of 10 then cancel'],
      ['Pace', '10/min'],
    ],
  );
});

test('the pace is shown as ignored if the deployment is urgent', () => {
  expect(paceFact({ per_minute: 10 }, true)).toEqual(['Pace', '10/min, ignored: urgent']);
  expect(paceFact({ per_minute: 10 })).toEqual(['Pace', '10/min']);
  expect(paceFact(undefined, true)).toEqual(['Pace', undefined]);
});

test('a plan names other robots unless the waves take all of them, whatever labels robots have', () => {
  expect(wavesOf({ percent: 10 }, { percent: 90 })).toBe('10%; 90%');
  expect(wavesOf({ selector: 'tier=canary', percent: 10 }, { percent: 90 })).toBe(
    'tier=canary 10%; 90%; then any others',
  );
  expect(wavesOf({ count: 5 }, { selector: 'tier=canary' })).toBe('5; tier=canary; then any others');
});

test('a plan has the windows in which robots may be disturbed and download, and the dates without any', () => {
  const always = { expected_duration: '10m', at_end: 'finish' };
  const windowsOf = (
    windows: Omit<NonNullable<Rollout['windows']>, keyof typeof always>,
    ignored?: { ignoresWindows: true },
  ) => {
    const rollout: Rollout = { waves: [{ count: 1 }], advance, abort: [], windows: { ...always, ...windows } };
    const facts = rolloutFacts({ id: 'policy-1', name: 'careful', rollout, created_at: '', updated_at: '' }, ignored);
    return ['Window', 'Downloads', 'Closed'].map((label) => Object.fromEntries(facts)[label]);
  };
  const night = { cron: '0 22 * * 1-5', duration: '6h' };
  const berlin = '0 22 * * 1-5 for 6h, Europe/Berlin';
  expect(windowsOf({ zone: 'Europe/Berlin', activate: [night] })).toEqual([`${berlin}, finish at the end`, undefined, undefined]); // prettier-ignore
  const blackouts = [
    { from: '2026-12-24', to: '2026-12-26' },
    { from: '2027-01-01', to: '2027-01-01' },
  ];
  expect(windowsOf({ zone: 'robot', download: [night, { cron: '0 6 * * 6', duration: '2h' }], blackouts })).toEqual([
    undefined,
    '0 22 * * 1-5 for 6h; 0 6 * * 6 for 2h, zone of the robot',
    '2026-12-24..2026-12-26, 2027-01-01',
  ]);
  expect(windowsOf({ zone: 'UTC', activate: [night] }, { ignoresWindows: true })[0]).toBe(
    '0 22 * * 1-5 for 6h, UTC, finish at the end, ignored',
  );
});
