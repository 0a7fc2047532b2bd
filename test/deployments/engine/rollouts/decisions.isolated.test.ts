import { expect, test } from 'vitest';
import { claimDecision } from '../../../../src/deployments/engine/rollouts/facts.ts';
import { startIsolatedDeploymentWorld, type DeploymentWorld } from '../support.ts';

/** A rollout of two waves, whose first waits for a robot. */
async function waitingRollout(it: DeploymentWorld): Promise<string> {
  const release = await it.release();
  const rollout = { waves: [{ count: 1 }, { percent: 100 }] };
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  return id;
}

/** What is claimed first as a rollout, and as a rollback, of these, of which the first has been due longest. */
const claimedOf = (it: DeploymentWorld, ids: readonly string[], more: object = {}) =>
  it.db.transaction(async (trx) => {
    // In the transaction, where no worker sees it.
    for (const [index, id] of ids.entries())
      await trx('deployments')
        .where({ id })
        .update({
          decide_at: trx.raw(`now() - interval '1 hour' + ? * interval '1 minute'`, [index]),
          ...(index === ids.length - 1 && more),
        });
    return [(await claimDecision(trx, 'rollout'))?.deploymentId, (await claimDecision(trx, 'rollback'))?.deploymentId];
  });

test('the rollout that has been due longest is decided on first, and a rollback waits for no rollout', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(2);
  const ids = [await waitingRollout(it), await waitingRollout(it)] as const;
  expect(await claimedOf(it, ids)).toEqual([ids[0], undefined]);
  expect(await claimedOf(it, ids, { rollback_at: it.db.fn.now() })).toEqual([ids[0], ids[1]]);
});
