import { expect, test } from 'vitest';
import { walk } from './model-walk.ts';

/** `npm run test:long` walks 200 times 50 steps; a failure names the seed, with which `WALK_SEED` walks the same way again. */
const walks = Number(process.env['WALKS'] ?? 4);
const steps = process.env['WALKS'] === undefined ? 35 : 50;
const firstSeed = Number(process.env['WALK_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const atOnce = 4;

test(
  'whatever happens to deployments, robots and the server: rows, API and what the robots are told are as the model says',
  async () => {
    const seeds = Array.from(
      { length: process.env['WALK_SEED'] === undefined ? walks : 1 },
      (_, index) => firstSeed + index,
    );
    const failures: unknown[] = [];
    const next = async () => {
      for (let seed = seeds.shift(); seed !== undefined && failures.length === 0; seed = seeds.shift())
        await walk(seed, steps).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    expect(failures).toEqual([]);
  },
  60_000 + walks * 30_000,
);
