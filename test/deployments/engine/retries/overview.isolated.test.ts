import { expect, test } from 'vitest';
import { activeDeployments } from '../../../../src/portal/fleet/active-deployments.ts';
import { startIsolatedDeploymentWorld } from '../support.ts';
import { failOn, retried } from './support.ts';

test('the overview of the portal shows a retry that has not ended', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const bad = await failOn(it, await it.robots(1));
  await it.reaches(bad.deployment, 'failed');
  const id = await retried(it, bad.deployment, { backoff: '1h' });
  const page = (await activeDeployments(it.db, it.world.orgId)).text;
  expect(page).toContain(id);
  expect(page).not.toContain(bad.deployment);
});
