import { expect, test } from 'vitest';
import { together } from '../support/together.ts';

test('what was made before something that could not be made is disposed of, the last one first', async () => {
  const told: string[] = [];
  const world = { [Symbol.asyncDispose]: async () => void told.push('world') };
  const robot = { [Symbol.dispose]: () => void told.push('robot') };
  const failing = together(async (own) => {
    own(world);
    own(robot);
    throw new Error('no server');
  });
  await expect(failing).rejects.toThrow('no server');
  expect(told).toEqual(['robot', 'world']);
  {
    await using made = await together(async (own) => ({ world: own(world) }));
    expect(made.world).toBe(world);
  }
  expect(told).toEqual(['robot', 'world', 'world']);
});
