import { expect, test } from 'vitest';
import { walk } from './model-walk.ts';

/** `npm run test:long` walks 200 times 50 steps; a failure names the seed, with which `WALK_SEED` walks the same way again. */
const walks = Number(process.env['WALKS'] ?? 2);
const steps = process.env['WALKS'] === undefined ? 35 : 50;
const firstSeed = Number(process.env['WALK_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

test(
  'whatever happens to deployments, robots and the server: rows, API and what the robots are told are as the model says',
  async () => {
    const seeds = Array.from(
      { length: process.env['WALK_SEED'] === undefined ? walks : 1 },
      (_, index) => firstSeed + index,
    );
    for (const seed of seeds) await walk(seed, steps);
    expect(seeds.length).toBeGreaterThan(0);
  },
  60_000 + walks * 30_000,
);
