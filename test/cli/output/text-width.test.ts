import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { cutTo, fitTo, splitAt, wrap } from '../../../cli/output/text-width.ts';

const texts = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom('a', ' ', '日', '語', 'é', 'e\u0301', '👩‍🔧', '❤️', '한', '│'), { maxLength: 30 })
    .map((parts) => parts.join('')),
);
const widths = fc.integer({ min: 0, max: 12 });
const ellipses = fc.constantFrom('…', '~', '');

test('a cut text is never wider than its room, however wide its letters are', () => {
  expect(cutTo('日本語', 2, '…')).toBe('…');
  expect(cutTo('👩‍🔧👩‍🔧', 2, '…')).toBe('…');
  expect(cutTo('日本語', 3, '…')).toBe('日…');
  expect(cutTo('日本語', 1, '')).toBe('');
  fc.assert(
    fc.property(texts, widths, ellipses, (text, width, ellipsis) => {
      const cut = cutTo(text, width, ellipsis);
      expect(stringWidth(cut)).toBeLessThanOrEqual(width);
      expect(stringWidth(fitTo(text, width, ellipsis))).toBe(width);
      if (stringWidth(text) <= width) expect(cut).toBe(text);
    }),
  );
});

test('a text in pieces is whole, and no piece is wider than its room', () => {
  expect(splitAt('日本語a', 5)).toEqual(['日本', '語a']);
  expect(splitAt('', 5)).toEqual(['']);
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 12 }), (text, width) => {
      const pieces = splitAt(text, width);
      expect(pieces.join('')).toBe(text);
      expect(Math.max(...pieces.map((piece) => stringWidth(piece)))).toBeLessThanOrEqual(width);
    }),
  );
});

test('a text is wrapped between words, and a word that is too long within it', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('日本語 ok', 4)).toEqual(['日本', '語', 'ok']);
  expect(wrap('a\n\nb', 4)).toEqual(['a', '', 'b']);
});
