import { expect, test } from 'vitest';
import { deploymentRetention, removedByRetention } from '../../../../src/deployments/api/retention.ts';
import { work } from '../rollbacks/support.ts';
import { startIsolatedDeploymentWorld, type DeploymentWorld, type LinkedRobot } from '../support.ts';
import { forADay, label, matched, robotsAfterLook, view } from './support.ts';

const canary = { tier: 'canary' };

/** Runs it as if everything that has ended did so 40 days ago. */
async function retain({ db }: DeploymentWorld): Promise<void> {
  await db('deployments')
    .whereNotNull('ended_at')
    .update({ ended_at: db.raw("now() - interval '40 days'") });
  await deploymentRetention(db, 30).run();
  await db('deployment_retention').update({ resume_at: db.fn.now() });
}

test('abort rules of a dynamic deployment count failures of long ago, which are deleted once it has ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const { db } = it;
  const rollout = { waves: [{ percent: 100 }], abort: [{ reasons: ['any'], count: 2, action: 'cancel' }] };
  const [first, ...others] = (await it.robots(4)) as [LinkedRobot, LinkedRobot, LinkedRobot, LinkedRobot];
  await label(it, [first], canary);
  const { id: releaseId } = await it.release();
  const id = await it.deploy({ releaseId }, { selector: 'tier=canary' }, { ...forADay(), rollout });
  await it.reaches(id, 'pending');
  await work(it, [first]);
  await it.reaches(id, 'applied');
  for (const [index, robot] of others.entries()) {
    await label(it, [robot], canary);
    expect(await robotsAfterLook(it, id)).toHaveLength(Math.min(index + 1, 2));
    await work(it, [robot], 'failed');
    const made = (await matched(it, id)).at(-1)?.id ?? '';
    await it.reaches(made, 'failed');
    await expect.poll(() => db('deployments').where({ id: made }).whereNull('decide_at').first('id')).toBeDefined();
    await retain(it);
  }
  expect((await view(it, id)).dynamic).toBe(false);
  expect(await db('rollout_failures')).toEqual([]);
  expect(await removedByRetention(db)).toMatchObject({ rollout_failures: 2 });
});
