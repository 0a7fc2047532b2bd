import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { execute, planOf, robotsOf, targetWaves, wavesOf } from './support.ts';

const selector = fc.constantFrom('tier=canary', 'tier!=canary', 'hall in (1,2)', '!hall', '@capability=orders,hall');
const size = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ count: fc.integer({ min: 1, max: 4 }) }),
);
const wave = fc.oneof(
  size,
  fc.record({ selector }),
  fc.tuple(fc.record({ selector }), size).map(([one, other]) => ({ ...one, ...other })),
);
const robot = fc.record({
  labels: fc.record(
    { tier: fc.constantFrom('canary', 'usual'), hall: fc.constantFrom('1', '2', '3') },
    { requiredKeys: [] },
  ),
  isOnline: fc.boolean(),
  wasOnline: fc.boolean(),
});
const fleet = fc.record({
  robots: fc.array(robot, { minLength: 1, maxLength: 25 }),
  waves: fc.option(fc.array(wave, { minLength: 1, maxLength: 5 }), { nil: undefined }),
  bySelector: fc.boolean(),
});

const setOnline = (it: DeploymentWorld, robotId: string, isOnline: boolean) =>
  it
    .db('robot_links')
    .where({ robot_id: robotId })
    .update({ last_seen_at: it.db.raw(isOnline ? 'now()' : "now() - interval '1 hour'") });

test('the waves of a deployment are those of its plan, and those of a deployment without one, whatever the fleet and the rollout', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { id: releaseId } = await it.release();
  await fc.assert(
    fc.asyncProperty(fleet, async ({ robots, waves, bySelector }) => {
      await it.db('robots').delete();
      const links = await it.robots(robots.length);
      for (const [index, { robotId }] of links.entries()) {
        const { labels, wasOnline } = robots[index] ?? {};
        await it
          .db('robots')
          .where({ id: robotId })
          .update({ labels: JSON.stringify(labels) });
        await setOnline(it, robotId, wasOnline === true);
      }
      const target = { target_kind: 'selector', target_id: undefined, target_selector: '@fleet' };
      const rollout = waves && { waves };
      const plan = await planOf(it, releaseId, { rollout, ...(bySelector && target) });
      const planned = wavesOf(await robotsOf(it, plan));
      expect(Object.keys(planned)).toHaveLength(robots.length);
      const plain = await it.deploy({ releaseId }, { fleet: it.fleetId }, { rollout });
      await it.reaches(plain, 'pending');
      expect(await targetWaves(it, plain)).toEqual(planned);
      for (const [index, { robotId }] of links.entries())
        await setOnline(it, robotId, robots[index]?.isOnline === true);
      const { id } = (await execute(it, plan)).body.data;
      await it.reaches(id, 'pending');
      expect(await targetWaves(it, id)).toEqual(planned);
    }),
    { numRuns: 25 },
  );
  await it.check();
}, 120_000);
