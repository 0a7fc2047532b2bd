import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CliError } from '../../../cli/command-line/errors.ts';
import {
  abortText,
  advanceText,
  parseAbort,
  parsePercent,
  parseWave,
  waveText,
} from '../../../cli/output/rollout-text.ts';

type Wave = Parameters<typeof waveText>[0];
type AbortRule = Parameters<typeof abortText>[0];

test.each<[text: string, wave: Wave]>([
  ['10%', { percent: 10 }],
  ['12.5%', { percent: 12.5 }],
  ['5', { count: 5 }],
  ['tier=canary', { selector: 'tier=canary' }],
  ['tier=canary,floor=2 5', { selector: 'tier=canary,floor=2', count: 5 }],
  ['zone=a:b 1%', { selector: 'zone=a:b', percent: 1 }],
  ['site=hall 2,floor=1', { selector: 'site=hall 2,floor=1' }],
  ['canaries: tier=canary', { name: 'canaries', selector: 'tier=canary' }],
  ['first ten: 10', { name: 'first ten', count: 10 }],
  ['floor notin (1,2) 5', { selector: 'floor notin (1,2)', count: 5 }],
  ['spares: !tier 10%', { name: 'spares', selector: '!tier', percent: 10 }],
  ['@condition', { selector: '@condition' }],
  ['"floor in (a:b)"', { selector: 'floor in (a:b)' }],
  ['"tier" 5', { selector: 'tier', count: 5 }],
  ['"floor=2 5"', { selector: 'floor=2 5' }],
  ['"floor=2 5" 5', { selector: 'floor=2 5', count: 5 }],
  ['"a: b = \\"c\\"": tier= 1', { name: 'a: b = "c"', selector: 'tier=', count: 1 }],
])('the wave %s is read and printed', (text, wave) => {
  expect(parseWave(text)).toEqual(wave);
  expect(waveText(wave)).toBe(text);
});

test('white space around the parts of a wave means nothing', () => {
  expect(parseWave('  canaries :tier=canary   5 % ')).toEqual({
    name: 'canaries',
    selector: 'tier=canary',
    percent: 5,
  });
});

test('every wave that is printed can be typed again, whatever its name and labels', () => {
  const some = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.string({ minLength: 1, unit: fc.constantFrom('a', '=', ':', ' ', '"', '5', '%', '\\', '\n') }),
  );
  const size = fc.oneof(
    fc.record({ percent: fc.double({ min: 0.01, max: 100, noNaN: true }) }),
    fc.record({ count: fc.integer({ min: 1, max: 200_000 }) }),
  );
  const robots = fc.oneof(fc.record({ selector: some }), size, fc.tuple(fc.record({ selector: some }), size));
  const wave = fc
    .tuple(fc.record({ name: some }, { requiredKeys: [] }), robots)
    .map(([name, parts]): Wave => Object.assign({}, name, ...[parts].flat()));
  fc.assert(
    fc.property(wave, (each) => {
      expect(parseWave(waveText(each))).toEqual(each);
    }),
  );
});

test.each([
  ['', 'a selector or a size is missing'],
  ['canaries:', 'a selector or a size is missing'],
  [': 5', 'there is no name before the colon'],
  ['canaries', '"canaries" is neither a selector such as tier=canary nor a size such as 10% or 5'],
  ['canary 5', '"canary" is neither a selector'],
  ['-5', '"-5" is neither a selector'],
  ['0', 'the number of robots must be whole and at least 1, not 0'],
  ['2.5', 'the number of robots must be whole and at least 1, not 2.5'],
  ['0%', 'a percentage is from 0.01% to 100%, not 0%'],
  ['101%', 'a percentage is from 0.01% to 100%, not 101%'],
  ['"tier=canary', 'text in quotation marks must be as in JSON'],
  ['"\\q": 5', 'text in quotation marks must be as in JSON'],
])('the wave "%s" is a usage error that says why, with an example', (text, why) => {
  expect(usageOf(() => parseWave(text))).toEqual({
    message: expect.stringContaining(why),
    hint: expect.stringContaining('--wave "canaries: tier=canary"'),
  });
  expect(usageOf(() => parseWave(text)).message).toContain(`wave "${text}": `);
});

const defaults = { min_ended: 1, per: 'rollout', action: 'pause' };

test.each<[text: string, rule: Partial<AbortRule>, printed?: string]>([
  ['any 5% of 10 then pause', { reasons: ['any'], percent: 5, min_ended: 10 }],
  ['any 5%', { reasons: ['any'], percent: 5 }, 'any 5% then pause'],
  [
    'failed,rolled_back 3 within 1h then cancel',
    { reasons: ['failed', 'rolled_back'], count: 3, within: '1h', action: 'cancel' },
  ],
  [
    'drift 1 of 2 within 1.5h per wave then pause',
    { reasons: ['drift'], count: 1, min_ended: 2, within: '1.5h', per: 'wave' },
  ],
  ['failed , drift 2.5 % per rollout', { reasons: ['failed', 'drift'], percent: 2.5 }, 'failed,drift 2.5% then pause'],
  ['any 3 then cancel of 5', { reasons: ['any'], count: 3, min_ended: 5, action: 'cancel' }, 'any 3 of 5 then cancel'],
])('the abort rule %s is read and printed', (text, rule, printed = text) => {
  const whole = { ...defaults, ...rule } as AbortRule;
  expect({ ...defaults, ...parseAbort(text) }).toEqual(whole);
  expect(abortText(whole)).toBe(printed);
  expect({ ...defaults, ...parseAbort(printed) }).toEqual(whole);
});

test.each([
  ['', 'unknown reason ""; reasons are failed, timed_out,'],
  ['5%', 'unknown reason "5%"'],
  [
    'failed,fialed 3',
    'unknown reason "fialed"; reasons are failed, timed_out, rejected, rolled_back, unhealthy, drift, any',
  ],
  ['any', 'a limit such as 3 or 5% must follow the reasons'],
  ['any of 10', 'a limit such as 3 or 5% must follow the reasons'],
  ['any 0', 'the number of robots must be whole and at least 1, not 0'],
  ['any 500%', 'a percentage is from 0.01% to 100%, not 500%'],
  ['any 5% from 10', 'unexpected "from"; after the limit come of, within, per, then'],
  ['any 5% constructor 1', 'unexpected "constructor"'],
  ['any 5% of', '"of" takes the number of robots that must have ended, not ""'],
  ['any 5% within soon', '"within" takes a duration such as 90s, 30m, 2h or 1d, not "soon"'],
  ['any 5% per robot', '"per" takes wave or rollout, not "robot"'],
  ['any 5% then stop', '"then" takes pause, cancel or rollback, not "stop"'],
  ['any 5% of 1 of 2', '"of" occurs twice'],
])('the abort rule "%s" is a usage error that says why, with an example', (text, why) => {
  expect(usageOf(() => parseAbort(text))).toEqual({
    message: expect.stringContaining(`abort rule "${text}": ${why}`),
    hint: expect.stringContaining('--abort "any 5% of 10"'),
  });
});

test('words of a later service are printed as they are', () => {
  const rule = { ...defaults, reasons: ['overheated'], count: 3, per: 'site', action: 'notify' };
  expect(abortText(rule)).toBe('overheated 3 per site then notify');
});

test('how a rollout advances is printed in the order of its flags', () => {
  const advance = { applied_percent: 95, min_ended: 3, soak: '30m', then: 'pause' };
  expect(advanceText(advance)).toBe('95% applied, 3 ended, soak 30m, then pause');
  expect(advanceText({ ...advance, offline_after: '1h' })).toBe(
    '95% applied, 3 ended, soak 30m, offline after 1h, then pause',
  );
});

test('a percentage is from 0.01 to 100, with or without the sign', () => {
  const read = (text: string) => parsePercent(text, 0.01);
  expect(['95', '95%', '0.5', '100'].map(read)).toEqual([95, 95, 0.5, 100]);
  expect(['0.009', '100.1', '-5', 'all', ''].map(read)).toEqual(Array(5).fill(undefined));
});

function usageOf(run: () => unknown): { message: string; hint: string | undefined } {
  try {
    run();
  } catch (error) {
    if (error instanceof CliError && error.code === 'bad_request') return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('nothing was wrong');
}
