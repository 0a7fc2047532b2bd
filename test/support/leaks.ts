import { afterEach, expect } from 'vitest';
import { openWorlds } from './open-worlds.ts';

// A world that a test leaves behind holds a pool, a socket and a database: the test fails.
afterEach(() => {
  expect([...openWorlds], 'every world is disposed of: await using world = await startWorld()').toEqual([]);
});
