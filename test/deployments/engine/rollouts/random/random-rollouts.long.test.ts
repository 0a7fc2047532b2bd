import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenario } from './scenario.ts';
import { walk } from './walk.ts';

/** `npm run test:long` walks 200 times. A failure names the seed, with which `WALK_SEED` walks the same way again. */
const walks = Number(process.env['WALKS'] ?? 4);
const seed = Number(process.env['WALK_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

test(
  'whatever happens to robots, rollouts, replicas and the clock: no limit is exceeded, nothing is sent too early, and every target ends or waits',
  async ({ annotate }) => {
    const sums = new Map<string, number>();
    const property = fc.asyncProperty(scenario, async (each) => {
      for (const [what, count] of Object.entries(await walk(each))) sums.set(what, (sums.get(what) ?? 0) + count);
    });
    // A walk takes seconds: no smaller one is looked for.
    await fc.assert(property, { numRuns: walks, seed, endOnFailure: true });
    const told = [...sums].map(([what, count]) => `${count} ${what}`).join(', ');
    await annotate(`seed ${seed}: ${walks} walks, ${told}`);
    expect(sums.get('deployments')).toBeGreaterThan(0);
  },
  60_000 + walks * 120_000,
);
