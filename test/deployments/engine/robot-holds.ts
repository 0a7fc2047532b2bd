import { expect } from 'vitest';
import type { DeploymentWorld, LinkedRobot } from './support.ts';

export const soon = (ms = 3_600_000) => new Date(Date.now() + ms).toISOString();
export async function pin(it: DeploymentWorld, { robotId }: LinkedRobot, releaseId: string, until = soon()) {
  const body = { release_id: releaseId, until, reason: 'demo' };
  const answer = await it.world.call('PUT', `/api/robots/${robotId}/pin`, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
export const unpin = (it: DeploymentWorld, { robotId }: LinkedRobot) =>
  it.world.call('DELETE', `/api/robots/${robotId}/pin`);
export const maintain = async (it: DeploymentWorld, { robotId }: LinkedRobot) => {
  const body = { target_kind: 'robot', target_id: robotId, hours: 1, reason: 'new battery' };
  const { id } = (await it.world.call('POST', '/api/maintenance-windows', { body })).body.data;
  const inMaintenance = () => it.db('robot_status').where({ robot_id: robotId }).whereNotNull('maintenance');
  await expect.poll(async () => (await inMaintenance()).length).toBe(1);
  return id as string;
};
export const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
export const targetOf = async (it: DeploymentWorld, id: string, { robotId }: LinkedRobot) =>
  (await it.world.call('GET', `/api/deployments/${id}/targets?robot_id=${robotId}`)).body.items[0];
export const begin = async (it: DeploymentWorld, releaseId: string, more: object = {}, robot?: LinkedRobot) => {
  const place = robot ? { robot: robot.robotId } : { fleet: it.fleetId };
  const id = await it.deploy({ releaseId }, place, more);
  await it.reaches(id, 'pending');
  return id;
};
export const waves = { waves: [{ count: 1 }], advance: { min_ended: 0 } };
export const reachesWave = (it: DeploymentWorld, id: string, wave: number) =>
  expect.poll(async () => (await view(it, id)).rollout.wave, { interval: 20 }).toBe(wave);
/** The robots that receive an order. */
export const receivers = async (it: DeploymentWorld, links: LinkedRobot[]) =>
  new Set([...(await it.handOut(links)).entries()].filter(([, orders]) => orders.length > 0).map(([id]) => id));
