import { expect, test } from 'vitest';
import type { Rollout } from '../../../cli/api/api.ts';
import { rolloutFacts } from '../../../cli/output/rollout-facts.ts';

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
      ['Window', undefined],
    ],
  );
});

test('a plan names other robots unless the waves take all of them, whatever labels robots have', () => {
  expect(wavesOf({ percent: 10 }, { percent: 90 })).toBe('10%; 90%');
  expect(wavesOf({ selector: 'tier=canary', percent: 10 }, { percent: 90 })).toBe(
    'tier=canary 10%; 90%; then any others',
  );
  expect(wavesOf({ count: 5 }, { selector: 'tier=canary' })).toBe('5; tier=canary; then any others');
});

test('a plan has the windows in which robots may be disturbed', () => {
  const windows = { expected_duration: '10m', at_end: 'finish', activate: [{ cron: '0 22 * * 1-5', duration: '6h' }] };
  const windowOf = (zone: string) => {
    const rollout: Rollout = { waves: [{ count: 1 }], advance, abort: [], windows: { ...windows, zone } };
    const facts = rolloutFacts({ id: 'policy-1', name: 'careful', rollout, created_at: '', updated_at: '' });
    return Object.fromEntries(facts)['Window'];
  };
  expect(windowOf('Europe/Berlin')).toBe('0 22 * * 1-5 for 6h, Europe/Berlin');
  expect(windowOf('robot')).toBe('0 22 * * 1-5 for 6h, zone of the robot');
});
