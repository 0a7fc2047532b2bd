import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../support/temp-dir.ts';
import { brokenWalk, faults, type Fault } from './broken-engine.ts';
import { scenario } from './scenario.ts';

/** Without `WALKS` it is a part of `npm run test:full`, which has time for two of the faults. */
const isShort = process.env['WALKS'] === undefined;
const only = process.env['FAULT'];
const seed = Number(process.env['WALK_SEED'] ?? 7);
/** Walks until one notices the fault, at most. */
const maxWalks = 40;

const chosen = faults.filter(({ invariant }, index) =>
  only === undefined ? !isShort || [1, 3].includes(index) : invariant === only,
);

/** The invariant that a walk found broken, and how many walks it took. */
async function noticed(fault: Fault): Promise<{ invariant: string | undefined; walks: number }> {
  await using folder = await tempDir();
  const walk = await brokenWalk(join(folder.path, 'tree'), fault);
  let walks = 0;
  for (const each of fc.sample(scenario, { seed, numRuns: maxWalks })) {
    walks += 1;
    const broken = await walk({ ...each, ...fault.focus }).then(
      () => undefined,
      (error: unknown) => error as Error & { invariant?: string },
    );
    if (broken && broken.invariant === undefined) throw broken;
    if (broken?.invariant === fault.invariant) return { invariant: broken.invariant, walks };
  }
  return { invariant: undefined, walks };
}

test.for(chosen)('$invariant is broken if $name', { timeout: 1_200_000 }, async (fault, { annotate }) => {
  const { invariant, walks } = await noticed(fault);
  await annotate(`${fault.invariant}: seed ${seed}, walk ${walks}`);
  expect(invariant).toBe(fault.invariant);
});
