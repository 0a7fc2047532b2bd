import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badRequest } from '../../src/kernel/errors.ts';
import {
  parseSelector,
  readLabels,
  reservedKeys,
  selectorText,
  type Requirement,
} from '../../src/kernel/label-selector.ts';

const parse = (text: string) => parseSelector('f', text);
const textOf = (text: string) => selectorText(parse(text));

test.each<[text: string, requirement: Requirement]>([
  ['tier=canary', { key: 'tier', operator: 'in', values: ['canary'] }],
  ['tier==canary', { key: 'tier', operator: 'in', values: ['canary'] }],
  ['tier!=canary', { key: 'tier', operator: 'notin', values: ['canary'] }],
  ['floor in (1, 2)', { key: 'floor', operator: 'in', values: ['1', '2'] }],
  ['floor notin (1,2)', { key: 'floor', operator: 'notin', values: ['1', '2'] }],
  ['floor in(1)', { key: 'floor', operator: 'in', values: ['1'] }],
  ['floor', { key: 'floor', operator: 'exists', values: [] }],
  ['! floor', { key: 'floor', operator: 'absent', values: [] }],
  ['in=notin', { key: 'in', operator: 'in', values: ['notin'] }],
  ['tier=', { key: 'tier', operator: 'in', values: [''] }],
  ['place=Hall 3 (west)', { key: 'place', operator: 'in', values: ['Hall 3 (west)'] }],
  ['@site = New York', { key: '@site', operator: 'in', values: ['New York'] }],
  ['!@condition', { key: '@condition', operator: 'absent', values: [] }],
])('%s is one requirement', (text, requirement) => {
  expect(parse(text)).toEqual([requirement]);
});

test('a comma separates requirements, and belongs to a list within parentheses', () => {
  expect(parse(' tier=canary , floor in (1,2),@fleet!=spare, !old ').map(({ key }) => key)).toEqual([
    ...['tier', 'floor', '@fleet', 'old'],
  ]);
});

test('texts that differ only in spaces and in the sign have one normal form', () => {
  expect(textOf(' tier ==  canary ,floor  in ( 1 , 2 ), ! old,@site!=New York')).toBe(
    'tier=canary,floor in (1,2),!old,@site!=New York',
  );
});

const syntax = (rest: string) =>
  `f: takes requirements such as tier=canary, tier!=spare, floor in (1,2), !spare or @site=Osaka, not "${rest}"`;

test.each([
  ['', 'f: needs a requirement, such as tier=canary'],
  ['tier=canary,', 'f: needs a requirement, such as tier=canary'],
  [',tier=canary', syntax(',tier=canary')],
  ['tier=canary,Floor=2', syntax('Floor=2')],
  ['floor in 1,2', syntax('floor in 1,2')],
  ['floor in (1,2', syntax('floor in (1,2')],
  ['floor in (1) 2', syntax('floor in (1) 2')],
  ['floor > 2', syntax('floor > 2')],
  ['!floor=2', syntax('!floor=2')],
  [`${'a'.repeat(65)}=1`, syntax(`${'a'.repeat(65)}=1`)],
  ['floor=1,@sites=Osaka', `f: unknown key "@sites"; the reserved keys are ${reservedKeys.join(', ')}`],
  ['@site=', 'f: @site needs a value'],
  ['@fleet in (spare,)', 'f: @fleet needs a value'],
  ['tier!= =a)', 'f: the value "=a)" begins with = and has ), which no selector can be written with'],
  [Array.from({ length: 17 }, (_each, n) => `l${n}`).join(), 'f: takes at most 16 requirements, not 17'],
])('what is wrong with "%s" is one clear error', (text, message) => {
  expect(() => parse(text)).toThrow(badRequest(message));
});

test('a selector is the same after it was printed and parsed', () => {
  const value = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[,)]/g, '').trim());
  const key = fc.oneof(fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,63}$/), fc.constantFrom('in', 'notin'));
  const listed = fc.record({
    key,
    operator: fc.constantFrom('in' as const, 'notin' as const),
    values: fc.array(value, { minLength: 1, maxLength: 5 }),
  });
  const bare = fc.record({
    key,
    operator: fc.constantFrom('exists' as const, 'absent' as const),
    values: fc.constant<string[]>([]),
  });
  const reserved = fc.record({
    key: fc.constantFrom(...reservedKeys),
    operator: fc.constantFrom('in' as const, 'notin' as const),
    values: fc.array(
      value.filter((text) => text !== ''),
      { minLength: 1, maxLength: 5 },
    ),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(listed, bare, reserved), { minLength: 1, maxLength: 16 }), (selector) => {
      expect(parse(selectorText(selector))).toEqual(selector);
    }),
  );
});

test('whatever is accepted can be printed and parsed again', () => {
  const part = fc.constantFrom('tier', 'in', 'notin', '@site', '!', '=', '!=', '(', ')', ',', ' ', 'x');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      try {
        parse(parts.join(''));
      } catch {
        return;
      }
      expect(parse(textOf(parts.join('')))).toEqual(parse(parts.join('')));
    }),
    { numRuns: 20_000, examples: [[['tier', '!=', ' ', '=', 'x', ')']]] },
  );
});

test('labels are read from a selector of labels with one value each, and from no other', () => {
  expect(readLabels('f', 'tier=canary, floor=2')).toEqual({ tier: 'canary', floor: '2' });
  for (const text of ['tier', '!tier', 'tier!=spare', 'floor in (1,2)', '@site=Osaka'])
    expect(() => readLabels('f', text)).toThrow(
      badRequest(`f: takes labels such as tier=canary or tier=canary,floor=2, not "${text}"`),
    );
});
