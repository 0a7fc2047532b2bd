import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { work } from '../rollbacks/support.ts';
import type { DeploymentWorld, LinkedRobot } from '../support.ts';

export const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;
export const retry = (it: DeploymentWorld, id: string, body: object = {}, kind = 'deployments') =>
  it.world.call('POST', `/api/${kind}/${id}/retry`, { body, headers: { 'Idempotency-Key': randomUUID() } });
/** The ID of the deployment that retries its robots. */
export async function retried(it: DeploymentWorld, id: string, body: object = {}): Promise<string> {
  const { status, body: answer } = await retry(it, id, body);
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.data.id;
}
export const preview = async (it: DeploymentWorld, id: string, reasons?: string) =>
  (await it.world.call('GET', `/api/deployments/${id}/retry${reasons === undefined ? '' : `?reasons=${reasons}`}`)).body
    .data;
/** The attempts of its retries, oldest first. */
export const attemptsOf = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments?retry_of=${id}&order=asc`)).body.items as {
    id: string;
    status: string;
    scheduled_at?: string;
    created_at: string;
    retry: { attempt: number };
  }[];

/** A deployment to the fleet, or one robot, that failed on all of `links`. */
export async function failOn(it: DeploymentWorld, links: LinkedRobot[], robot?: LinkedRobot) {
  const release = await it.release();
  const place = robot ? { robot: robot.robotId } : { fleet: it.fleetId };
  const id = await it.deploy({ releaseId: release.id }, place);
  await it.reaches(id, 'pending');
  await work(it, links, 'failed');
  return { ...release, deployment: id };
}

/** So many attempts of its retries exist. */
export const reaches = (it: DeploymentWorld, id: string, attempts: number) =>
  expect.poll(async () => (await attemptsOf(it, id)).length, { interval: 20, timeout: 9_000 }).toBe(attempts);

/** No further attempt follows: every replica looked for one since. */
export async function settles(it: DeploymentWorld, id: string, attempts: number) {
  await expect
    .poll(async () => (await it.db('deployments').where('retries_left', '>', 0).whereNotNull('ended_at')).length)
    .toBe(0);
  expect(await attemptsOf(it, id)).toHaveLength(attempts);
}
