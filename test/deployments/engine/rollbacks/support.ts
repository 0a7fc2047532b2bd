import { expect } from 'vitest';
import { only, type DeploymentWorld, type LinkedRobot, type Place } from '../support.ts';

export const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
export const rollbackOf = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}/rollback`)).body.data;
export const rollBack = (it: DeploymentWorld, id: string, body: object = { reason: 'robots lose their map' }) =>
  it.world.call('POST', `/api/deployments/${id}/rollback`, { body });
/** The deployments that return its robots. */
export const returnsOf = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments?rollback_of=${id}`)).body.items;

/** Robots that receive an order report `status`. Returns them with the digests that they received. */
export async function work(it: DeploymentWorld, links: LinkedRobot[], status = 'applied') {
  const orders = await it.handOut(links);
  const busy = links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0);
  const received = new Map<string, string>();
  for (const robot of busy) {
    const { orderId, payload = '' } = only(orders, robot);
    const digest = JSON.parse(payload).release.artifact_sha256 as string;
    received.set(robot.robotId, digest);
    await it.report(robot, { orderId, status, ...(status === 'applied' && { digest }) });
  }
  return received;
}

/** Robots apply a release. */
export async function apply(it: DeploymentWorld, links: LinkedRobot[], place: Place) {
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, place);
  await it.reaches(id, 'pending');
  await work(it, links);
  await it.reaches(id, 'applied');
  return { ...release, deployment: id };
}

/** As many deployments return its robots. */
export const reaches = (it: DeploymentWorld, id: string, returns: number) =>
  expect.poll(async () => (await returnsOf(it, id)).length, { interval: 20 }).toBe(returns);

/** All of them began. */
export const begun = (it: DeploymentWorld, id: string) =>
  expect
    .poll(async () => (await returnsOf(it, id)).every((each: { status: string }) => each.status !== 'scheduled'))
    .toBe(true);

/** Rolls a deployment back, and waits until the deployments that return its robots began. */
export async function rollBackWholly(it: DeploymentWorld, id: string, returns = 1): Promise<void> {
  await rollBack(it, id);
  await reaches(it, id, returns);
  await begun(it, id);
}
