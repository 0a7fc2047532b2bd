import { expect, test } from 'vitest';
import { startIsolatedDeploymentWorld } from '../support.ts';
import { apply, rollBack, rollBackWholly, work } from './support.ts';

test('a release that robots got back by a rollback is rolled back too', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const first = await apply(it, links, { fleet: it.fleetId });
  const second = await apply(it, links, { fleet: it.fleetId });
  const third = await apply(it, links, { fleet: it.fleetId });
  await rollBackWholly(it, third.deployment);
  expect([...(await work(it, links)).values()]).toEqual([second.sha256]);
  expect((await rollBack(it, second.deployment)).body.data).toMatchObject({
    returns: [{ release_id: first.id, robots: 1 }],
    excluded: [],
  });
  await rollBackWholly(it, second.deployment);
  expect([...(await work(it, links)).values()]).toEqual([first.sha256]);
  await it.check();
});

test('the first of two deployments of a release is rolled back also for robots that got it again', async () => {
  await using it = await startIsolatedDeploymentWorld();
  const links = await it.robots(1);
  const good = await apply(it, links, { fleet: it.fleetId });
  const bad = await apply(it, links, { fleet: it.fleetId });
  const again = await it.deploy({ releaseId: bad.id }, { fleet: it.fleetId });
  await it.reaches(again, 'pending');
  await work(it, links);
  await it.reaches(again, 'applied');
  expect((await rollBack(it, bad.deployment)).body.data).toMatchObject({
    returns: [{ release_id: good.id, robots: 1 }],
    excluded: [],
  });
});
