import { expect } from 'vitest';
import type { DeploymentWorld, LinkedRobot } from '../support.ts';

/** The fields of a deployment that is dynamic for a day. */
export const forADay = () => ({ dynamic: true, dynamic_until: new Date(Date.now() + 86_400_000).toISOString() });

export const view = async (it: DeploymentWorld, id: string) =>
  (await it.world.call('GET', `/api/deployments/${id}`)).body.data;

export const label = (it: DeploymentWorld, robots: readonly LinkedRobot[], labels: object) =>
  it
    .db('robots')
    .whereIn(
      'id',
      robots.map(({ robotId }) => robotId),
    )
    .update({ labels: JSON.stringify(labels) });

/** Lets a replica look for robots that match now, and waits until it has. */
export async function look(it: DeploymentWorld, id: string): Promise<void> {
  await it
    .db('deployments')
    .where({ id })
    .whereNotNull('match_at')
    .update({ match_at: it.db.raw("now() - interval '1 s'") });
  await expect
    .poll(() => it.db('deployments').where({ id }).whereRaw('match_at <= now()').first('id'), {
      interval: 20,
      timeout: 9_000,
    })
    .toBeUndefined();
}

/** The deployments for robots that matched later, oldest first, each with the IDs of its robots. */
export async function matched(it: DeploymentWorld, id: string): Promise<{ id: string; robots: string[] }[]> {
  const made: { id: string }[] = await it
    .db('deployments')
    .where({ cause_id: id, cause_kind: 'matched' })
    .orderBy('rank');
  return Promise.all(
    made.map(async (each) => ({ id: each.id, robots: (await it.targets(each.id)).map((target) => target.robot_id) })),
  );
}

/** Looks, and gives the robots of the deployments that exist then. */
export async function robotsAfterLook(it: DeploymentWorld, id: string): Promise<string[]> {
  await look(it, id);
  return (await matched(it, id)).flatMap(({ robots }) => robots);
}
