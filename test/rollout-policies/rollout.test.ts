import { expect, test } from 'vitest';
import { readRollout, type RolloutCreate } from '../../src/rollout-policies/service.ts';

const defaults = { applied_percent: 100, min_ended: 1, soak: '0s', then: 'advance' };

test('a rollout of waves alone gets all defaults', () => {
  expect(readRollout('rollout', { waves: [{ percent: 10 }] })).toEqual({
    waves: [{ percent: 10 }],
    advance: defaults,
    abort: [],
  });
});

test('what is given stays as it is, in advance and in abort rules', () => {
  const waves = [{ name: 'canaries', selector: 'tier=canary' }, { selector: 'floor=2', count: 5 }, { percent: 12.5 }];
  const advance = { applied_percent: 95, min_ended: 3, soak: '30m', offline_after: '1h', then: 'pause' } as const;
  const abort: RolloutCreate['abort'] = [
    { reasons: ['any'], percent: 5 },
    { reasons: ['failed', 'drift'], count: 3, min_ended: 10, within: '1h', per: 'wave', action: 'cancel' },
  ];
  expect(readRollout('rollout', { waves, advance, abort })).toEqual({
    waves,
    advance,
    abort: [{ reasons: ['any'], percent: 5, min_ended: 1, per: 'rollout', action: 'pause' }, abort[1]],
  });
  expect(readRollout('rollout', { waves, advance: { then: 'pause' } }).advance).toEqual({ ...defaults, then: 'pause' });
});

test.each([['0s'], ['30d'], ['720h'], ['1.5h']])('%s is a soak time', (soak) => {
  expect(readRollout('rollout', { waves: [{ count: 1 }], advance: { soak } }).advance.soak).toBe(soak);
});

test('percentages may add up to all robots, whatever the fractions', () => {
  const waves = [21.6, 21.6, 21.6, 35.2].map((percent) => ({ percent })); // 100.00000000000001 as a sum
  expect(readRollout('rollout', { waves }).waves).toEqual(waves);
});

const wave = { percent: 10 };
const rule = { reasons: ['failed' as const], count: 3 };

test.each<[what: string, rollout: RolloutCreate, message: string]>([
  [
    'percentages over 100',
    { waves: [{ percent: 60 }, { percent: 40.5 }] },
    'r.waves: the percentages add up to 100.5 %, more than all robots',
  ],
  [
    'percent with count',
    { waves: [wave, { percent: 1, count: 1 }] },
    'r.waves.1: percent and count exclude each other',
  ],
  ['a wave with only a name', { waves: [{ name: 'canaries' }] }, 'r.waves.0: needs selector, percent or count'],
  [
    'an invalid selector',
    { waves: [{ selector: 'canary,Floor=2' }] },
    'r.waves.0.selector: takes requirements such as tier=canary, tier!=spare, floor in (1,2), !spare or @site=Osaka, not "Floor=2"',
  ],
  [
    'a soak time that is no duration',
    { waves: [wave], advance: { soak: '30 minutes' } },
    'r.advance.soak: takes a duration such as 90s, 30m, 2h or 1d, not "30 minutes"',
  ],
  [
    'a soak time that is too long',
    { waves: [wave], advance: { soak: '31d' } },
    'r.advance.soak: must be from 0s to 30d',
  ],
  [
    'an offline time that is too short',
    { waves: [wave], advance: { offline_after: '59s' } },
    'r.advance.offline_after: must be from 1m to 30d',
  ],
  [
    'an abort rule without a limit',
    { waves: [wave], abort: [rule, { reasons: ['any'] }] },
    'r.abort.1: needs percent or count',
  ],
  [
    'an abort rule with both limits',
    { waves: [wave], abort: [{ ...rule, percent: 5 }] },
    'r.abort.0: needs only one of percent and count',
  ],
  [
    'any with other reasons',
    { waves: [wave], abort: [{ ...rule, reasons: ['failed', 'any'] }] },
    'r.abort.0.reasons: any includes the others; send it alone',
  ],
  [
    'a time window that is no duration',
    { waves: [wave], abort: [{ ...rule, within: '1w' }] },
    'r.abort.0.within: takes a duration such as 90s, 30m, 2h or 1d, not "1w"',
  ],
  [
    'a time window that is too long',
    { waves: [wave], abort: [{ ...rule, within: '721h' }] },
    'r.abort.0.within: must be from 1m to 30d',
  ],
])('%s: refused', (_, rollout, message) => {
  expect(() => readRollout('r', rollout)).toThrow(expect.objectContaining({ code: 'bad_request', message }));
});
