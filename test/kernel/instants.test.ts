import { expect, test } from 'vitest';
import { readInstant } from '../../src/kernel/instants.ts';
import { refused, taken } from '../support/instants.ts';

test('the table has no text twice, and more than 250 of them', () => {
  const texts = [...taken.map(([text]) => text), ...refused];
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThan(250);
});

test('an instant is read to the millisecond, wherever its clock stands', () => {
  for (const [text, is] of taken) expect(readInstant(text)?.toISOString(), text).toBe(is);
});

test('what is no instant is not read', () => {
  for (const text of refused) expect(readInstant(text), JSON.stringify(text)).toBeUndefined();
});

test('a long text takes no longer than its length', () => {
  const startedAt = performance.now();
  expect(readInstant(`2026-11-21T09:00:00.${'1'.repeat(1_000_000)}`)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
