import { expect, test } from 'vitest';
import { newcomerOf, startIsolatedDeploymentWorld } from '../support.ts';
import { execute, inAnHour, planOf } from './support.ts';

test('of several planned deployments that begin after a robot enrolled, the newest replaces the others', async () => {
  await using it = await startIsolatedDeploymentWorld();
  await it.robots(1);
  const planned: string[] = [];
  for (const release of [await it.release(), await it.release()])
    planned.push((await execute(it, await planOf(it, release.id), inAnHour())).body.data.id);
  const { newcomer } = await newcomerOf(it);
  for (const id of planned) {
    await it.fallDue(id);
    await it.reaches(id, 'pending');
  }
  // Also the sweep for leftovers of races would end the older one, a minute after the service began.
  await expect
    .poll(async () => {
      const { items } = (await it.world.call('GET', `/api/deployments?target_id=${newcomer.robotId}`)).body;
      return (items as { caused_by: { deployment_id: string }; status: string }[]).map((each) => [
        planned.indexOf(each.caused_by.deployment_id),
        each.status,
      ]);
    })
    .toEqual([
      [0, 'cancelled'],
      [1, 'pending'],
    ]);
  await it.check();
});
