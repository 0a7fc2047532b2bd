import { expect, test } from 'vitest';
import { advisoryLocks } from '../../../src/platform/db/advisory-locks.ts';

test('no two advisory locks have the same key', () => {
  const keys = Object.values<number>(advisoryLocks);
  expect(new Set(keys).size).toBe(keys.length);
});
