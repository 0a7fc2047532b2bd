import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../support/temp-dir.ts';
import { brokenWalk } from './broken-engine.ts';
import { faults } from './faults.ts';
import { scenario } from './scenario.ts';

/** Without `WALKS` it is a part of `npm run test:full`, which has time for two of the faults. */
const isShort = process.env['WALKS'] === undefined;
const only = process.env['FAULT'];
const seed = Number(process.env['WALK_SEED'] ?? 7);
/** Walks until one notices the fault, at most. */
const maxWalks = 40;

const all = Object.entries(faults).flatMap(([invariant, those]) => those.map((fault) => ({ invariant, ...fault })));
const short = [faults.nothingSentAfterLimit[0].name, faults.paceKept[0].name];
const chosen = all.filter(({ invariant, name }) =>
  only === undefined ? !isShort || short.includes(name) : invariant === only,
);

/** How many walks it took until one found the invariant broken, if one did; `others`: what was broken in those before. */
async function noticed(
  fault: (typeof all)[number],
): Promise<{ isNoticed: boolean; walks: number; others: Set<string> }> {
  const others = new Set<string>();
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
    if (broken?.invariant === fault.invariant) return { isNoticed: true, walks, others };
    if (broken?.invariant !== undefined) others.add(broken.invariant);
  }
  return { isNoticed: false, walks, others };
}

test.for(chosen)('$invariant is broken if $name', { timeout: 1_200_000 }, async (fault, { annotate }) => {
  const { isNoticed, walks, others } = await noticed(fault);
  await annotate(
    `${fault.invariant}: seed ${seed}, walk ${walks}${others.size > 0 ? `, after ${[...others].join(', ')}` : ''}`,
  );
  expect(isNoticed).toBe(true);
});
