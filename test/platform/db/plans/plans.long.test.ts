import { expect, test } from 'vitest';
import { operations } from '../../../support/operations.ts';
import { startIsolatedWorld } from '../../../support/world.ts';
import { collectPlans, explainEverything } from './explained.ts';
import { fill } from './fill.ts';
import { requests } from './requests.ts';
import { idOf } from './rows.ts';
import { faultsOf, notRequested } from './rules.ts';

/** With `SCALE_ROBOTS=1000000` it takes two minutes and 6 GiB. */
const robots = Number(process.env['SCALE_ROBOTS'] ?? 20_000);
/** In fewer robots the planner may rightly read a whole table: the question is then whether it must. */
const isLarge = robots >= 500_000;
const timeout = isLarge ? 1_200_000 : 240_000;

test('every list and look-up finds its rows by an index, however many robots there are', { timeout }, async () => {
  await using world = await startIsolatedWorld();
  await fill(world, robots);
  await explainEverything(world.db, world.name);
  if (!isLarge) await world.db.raw(`alter database ${world.name} set enable_seqscan = off`);
  await using explained = await startIsolatedWorld({ shares: world });
  const plans = collectPlans(explained.db);
  const middle = await world
    .db('robots')
    .where({ id: idOf('robot', robots / 2) })
    .first('created_at');
  const faults: Record<string, string[]> = {};
  for (const path of requests({ robots, createdAt: middle.created_at as Date })) {
    plans.length = 0;
    const { status, text } = await explained.call('GET', path);
    expect(status, `${path}: ${text}`).toBe(200);
    expect(plans.length, path).toBeGreaterThan(0);
    const found = plans.flatMap((each) => faultsOf(each, robots));
    if (found.length > 0) faults[path] = found;
  }
  expect(faults).toEqual({});
  // What the service works off in the background was there to be read.
  expect(await world.db('log_stats_pending').first('part')).toBeDefined();
});

test('every operation that reads is requested, or there is a reason why it is not', () => {
  const paths = requests({ robots, createdAt: new Date() }).map((path) => path.replace(/\?.*/, ''));
  const missing = operations
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
      return method === 'GET' && !paths.some((each) => pattern.test(each));
    })
    .map(({ id }) => id);
  expect(missing.sort()).toEqual(Object.keys(notRequested).sort());
});
