import { expect, test } from 'vitest';
import { returningRanges, returningRobots } from '../../../../src/deployments/engine/rollbacks/returning-robots.ts';
import { lookUpByKey } from '../../../../src/deployments/engine/target-locks.ts';
import { readsOf } from '../../../platform/db/plans/explained.ts';
import { addLargeFleet, isAdded } from '../large-fleet.ts';
import { some, startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';
import { apply, returnsOf, rollBack, rollbackOf } from './support.ts';

const all = 12_000;
/** Robots of one statement. */
const most = 10_000;

/** Adds robots that applied both deployments, the second after the first. */
const enlarge = (it: DeploymentWorld, ids: readonly [string, string]) =>
  addLargeFleet(it, all, async (trx) => {
    await trx.raw(
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, status, dispatched_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank, 'applied', now()
         from deployments d join robots r on r.org_id = d.org_id where d.id in (?, ?) and ${isAdded}`,
      [...ids],
    );
  });

test(`a rollback of ${all} robots is previewed and begins by statements of ${most} robots each`, async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { world } = it;
  const links = some(await it.robots(2));
  const first = await apply(it, links, { fleet: it.fleetId });
  const second = await apply(it, links, { fleet: it.fleetId });
  await enlarge(it, [first.deployment, second.deployment]);
  const returns = { release_id: first.id, robots: all + links.length };
  expect(await rollbackOf(it, second.deployment)).toEqual({ returns: [returns], excluded: [] });

  /** Rows of a table that one statement reads in one place. */
  const mostRead = (table: string) =>
    it.db.transaction(async (trx) => {
      await lookUpByKey(trx);
      const reads = [];
      for await (const range of returningRanges(trx, { orgId: world.orgId, deploymentId: second.deployment })) {
        const { rows } = await trx.raw(`explain (analyze, format json) select from (${returningRobots}) found`, range);
        reads.push(...readsOf(rows[0]['QUERY PLAN'][0].Plan).filter(({ of }) => of === table));
      }
      return Math.max(...reads.map((read) => read.rows));
    });
  expect(await mostRead('targets')).toBeLessThanOrEqual(2 * most); // each has two of them

  await rollBack(it, second.deployment);
  const made = () => returnsOf(it, second.deployment);
  await expect.poll(async () => (await made()).length, { timeout: 60_000 }).toBe(1);
  const [{ id }] = await made();
  expect((await rollbackOf(it, second.deployment)).returns).toEqual([{ ...returns, deployment_id: id }]);
  expect(await mostRead('rollback_robots')).toBe(most); // each is looked up among all that are decided
}, 120_000);
