import { expect, test } from 'vitest';
import { isInstant, readInstant } from '../../src/kernel/instants.ts';
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

test('whether a text is an instant is known without reading it', () => {
  for (const [text] of taken) expect(isInstant(text), text).toBe(true);
  for (const text of refused) expect(isInstant(text), JSON.stringify(text)).toBe(false);
  const two = (count: number) => Array.from({ length: count }, (_each, index) => String(index).padStart(2, '0'));
  const days = ['0000', '1969', '1970', '1999', '2000', '2023', '2024', '2100', '2999', '3000', '9999'].flatMap(
    (year) => two(14).flatMap((month) => two(34).map((day) => `${year}-${month}-${day}T23:59:59Z`)),
  );
  const times = two(26).flatMap((hour) => two(62).map((minute) => `2026-11-21T${hour}:${minute}:${minute}.5Z`));
  const all = [...days, ...times];
  expect(all.filter(isInstant)).toEqual(all.filter((text) => readInstant(text) !== undefined));
});

test('a long text takes no longer than its length', () => {
  const startedAt = performance.now();
  expect(readInstant(`2026-11-21T09:00:00.${'1'.repeat(1_000_000)}`)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
