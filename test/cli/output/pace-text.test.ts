import { expect, test } from 'vitest';
import { CliError } from '../../../cli/command-line/errors.ts';
import { parseRate, paceText, rateText } from '../../../cli/output/pace-text.ts';

test.each<[text: string, rate: ReturnType<typeof parseRate>]>([
  ['10/min', { per_minute: 10 }],
  ['0.5/min', { per_minute: 0.5 }],
  ['10/min x2 per 100', { per_minute: 10, growth: { factor: 2, after_applied: 100 } }],
  ['10/min x1.5 per 100 to 500/min', { per_minute: 10, growth: { factor: 1.5, after_applied: 100, up_to: 500 } }],
])('the rate %s is read and printed', (text, rate) => {
  expect(parseRate(text)).toEqual(rate);
  expect(rateText(rate)).toBe(text);
});

test('white space around the parts of a rate means nothing', () => {
  expect(parseRate(' 10 / min  x 2  per 100 ')).toEqual(parseRate('10/min x2 per 100'));
});

test.each([
  '',
  '10',
  '10/s',
  '-1/min',
  '10/min to 500/min',
  '10/min x2',
  '10/min x2 per 1.5',
  '10/min x2 per 100 to 500',
])('the rate "%s" is refused with the grammar', (text) => {
  expect(() => parseRate(text)).toThrow(CliError);
  expect(() => parseRate(text)).toThrow(`rate "${text}": takes robots per minute`);
});

test('a pace is printed with each of its limits, and nothing without one', () => {
  expect(paceText()).toBe('');
  expect(paceText({ downloads_per_site: 1 })).toBe('1 download per site');
  const growth = { factor: 2, after_applied: 100, up_to: 500 };
  expect(paceText({ max_in_flight: 50, per_minute: 10, growth, downloads_per_site: 4 })).toBe(
    '50 in flight, 10/min x2 per 100 to 500/min, 4 downloads per site',
  );
});
