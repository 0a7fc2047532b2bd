import { expect, test } from 'vitest';
import { breakFiles } from './broken-engine.ts';
import { faults } from './faults.ts';

test('each fault of the random walks changes a text that the engine has once', async () => {
  const broken = await Promise.all(Object.values(faults).flat().map(breakFiles));
  expect(broken.every((files) => files.length > 0)).toBe(true);
});
