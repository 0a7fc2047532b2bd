import { expect } from 'vitest';
import { only, type DeploymentWorld, type LinkedRobot } from '../support.ts';

export interface Rollout {
  id: string;
  links: LinkedRobot[];
  digest: string;
}

export async function started(it: DeploymentWorld, rollout: object, robots = 6): Promise<Rollout> {
  const links = await it.robots(robots);
  const release = await it.release();
  const id = await it.deploy({ releaseId: release.id }, { fleet: it.fleetId }, { rollout });
  await it.reaches(id, 'pending');
  return { id, links, digest: release.sha256 };
}

export const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;

export const control = (it: DeploymentWorld, id: string, what: string, body: object = { reason: 'looked at' }) =>
  it.world.call('POST', `/api/deployments/${id}/${what}`, { body });

/** `1 applied, 2 waiting` of each wave, by status. */
export const wavesOf = async (it: DeploymentWorld, id: string): Promise<string[]> =>
  (await view(it, id)).rollout.waves.map(({ counts }: { counts: Record<string, number> }) =>
    Object.entries(counts)
      .filter(([name, count]) => name !== 'total' && count > 0)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );

export const reachesWave = (it: DeploymentWorld, id: string, wave: number) =>
  expect.poll(async () => (await view(it, id)).rollout.wave, { interval: 20 }).toBe(wave);

export async function robotsIn(it: DeploymentWorld, { id, links }: Rollout, wave: number): Promise<LinkedRobot[]> {
  const rows = await it.db('targets').where({ deployment_id: id, wave });
  return links.filter(({ robotId }) => rows.some((row) => row.robot_id === robotId));
}

/** Dispatches to all robots; those that received an order apply it. Returns them. */
export async function apply(it: DeploymentWorld, { links, digest }: Rollout): Promise<LinkedRobot[]> {
  const orders = await it.handOut(links);
  const busy = links.filter(({ robotId }) => (orders.get(robotId) ?? []).length > 0);
  for (const robot of busy) await it.report(robot, { orderId: only(orders, robot).orderId, status: 'applied', digest });
  return busy;
}

export const refusal = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
  status,
  body.error?.message,
];

export const eventsOf = async (it: DeploymentWorld, id: string, reason: string): Promise<string[]> => {
  const { items } = (await it.world.call('GET', `/api/deployments/${id}/events`)).body;
  return items
    .filter((event: { reason?: string; robot_id?: string }) => event.reason === reason && event.robot_id === undefined)
    .map(({ message }: { message: string }) => message);
};
