import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messagesOf } from '../../src/logs/line-message.ts';
import { logFilter, type KeptRecord } from '../../src/logs/model.ts';
import { buildTextFilter, textFilterBits } from '../../src/logs/text-filter.ts';
import { anyCharacter } from '../support/arbitraries.ts';

/** As the statement of a search decides: bits are numbered as by `get_bit`. */
const mayContain = (filter: Buffer, text: string): boolean =>
  textFilterBits(text).every((bit) => {
    const place = bit % (filter.length * 8);
    return ((filter[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  });

/** Letters whose lower case depends on their place, or is longer, or is that of another letter. */
const awkward = fc.constantFrom(
  'Σ',
  'ς',
  'σ',
  'İ',
  'ı',
  'ẞ',
  'ß',
  'K',
  'Å',
  'Ǆ',
  '\u0307',
  '😀',
  '\ud83d',
  '.',
  ' ',
  'a',
  'A',
);
const messages = fc.array(fc.string({ unit: fc.oneof(awkward, anyCharacter), maxLength: 30 }), { maxLength: 20 });
const record = (message: string): KeptRecord => ({ level: 'info', source: 'test', message });

test('a filter never rules out a chunk with a record that matches', () => {
  const parts = fc.record({ from: fc.nat(30), length: fc.nat(12), upper: fc.boolean(), lower: fc.boolean() });
  let matches = 0;
  fc.assert(
    fc.property(messages, fc.array(parts, { maxLength: 20 }), (chunk, cuts) => {
      const filter = buildTextFilter(chunk);
      for (const [index, { from, length, upper, lower }] of cuts.entries()) {
        const cut = (chunk[index % chunk.length] ?? '').slice(from, from + length);
        const text = lower ? cut.toLowerCase() : upper ? cut.toUpperCase() : cut;
        if (!chunk.map(record).some(logFilter({ text }))) continue;
        matches += Number(text.length > 2);
        expect(mayContain(filter, text), text).toBe(true);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(matches).toBeGreaterThan(500);
});

test('a filter of logs rules out nearly every text that is not in them, and takes less than 6 bytes per line', () => {
  const lines = Array.from({ length: 200 }, (_each, n) => `battery ${n % 100} %, pose x=${n * 0.37} y=${n ** 2 % 977}`);
  const filter = buildTextFilter(lines);
  const words = Array.from({ length: 500 }, (_each, n) => `fault ${(n * 7_919).toString(36)}q`);
  expect(words.filter((word) => mayContain(filter, word)).length).toBeLessThan(10);
  expect(filter.length).toBeLessThan(200 * 6);
});

test('filters have 64 bytes to 2 KiB, as their messages need', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_each, n) => `${Math.sin(n)} ${n.toString(36)}`);
  expect(buildTextFilter([]).length).toBe(64);
  expect(buildTextFilter(numbers(10)).length).toBe(64);
  expect(buildTextFilter([Array.from({ length: 30_000 }, (_each, n) => String.fromCharCode(n)).join('')]).length).toBe(
    2_048,
  );
  const sizes = [10, 100, 1_000].map((count) => buildTextFilter(numbers(count)).length);
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
});

test('a text of fewer than three units has no bits, so it is looked for in every chunk', () => {
  for (const text of ['', 'a', 'ab', '😀']) expect(textFilterBits(text)).toEqual([]);
  expect(textFilterBits('abc')).toHaveLength(1);
  expect(textFilterBits('İa')).toHaveLength(1); // three units when lower-cased
});

test('the messages of a text are those of its records, whatever they and their sources hold', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('"', '\\', '\n', ',"message":"', '{'), anyCharacter),
    maxLength: 20,
  });
  const kept = fc.record(
    {
      type: fc.constant('gap' as const),
      ts: fc.constant('2026-11-21T09:00:00.000000Z'),
      level: fc.constantFrom('info' as const, 'fatal' as const),
      source: text,
      message: text,
      unit: text,
      fields: fc.dictionary(text, text),
    },
    { requiredKeys: ['level', 'source', 'message'] },
  );
  fc.assert(
    fc.property(fc.array(kept, { maxLength: 5 }), (chunk) => {
      const lines = chunk.map(({ type, ts, level, source, message, ...more }) =>
        JSON.stringify({ type, ts, level, source, message, ...more }),
      );
      const whole = lines.map((line, index) => (index % 2 === 0 ? `1763716800000\n${line}\n` : `${line}\n`)).join('');
      expect([...messagesOf(whole)]).toEqual(lines.map((line) => (JSON.parse(line) as KeptRecord).message));
    }),
    { numRuns: 1_000 },
  );
});
