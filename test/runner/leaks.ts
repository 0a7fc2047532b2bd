import { afterEach, expect } from 'vitest';
import { openWorlds } from './open-worlds.ts';

// A world that a test does not dispose of keeps sockets, or a service and its database: the test fails. Later tests in
// this worker do not.
afterEach(() => {
  const left = [...openWorlds];
  openWorlds.clear();
  expect(left, 'every world is disposed of: await using world = await startWorld()').toEqual([]);
});
