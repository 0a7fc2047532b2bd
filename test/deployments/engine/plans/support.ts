import { randomUUID } from 'node:crypto';
import type { DeploymentWorld, LinkedRobot } from '../support.ts';

interface Forecast {
  starts_at?: string;
  ends_at?: string;
  duration_seconds?: number;
  reason?: string;
}

export interface Plan {
  id: string;
  hash: string;
  rollout?: object;
  ignore_windows?: true;
  counts: Record<'robots' | 'online' | 'current' | 'conflicts' | 'skipped' | 'downgrades', number>;
  waves: { number: number; name?: string; robots: number; online: number; forecast?: Forecast }[];
  forecast?: Forecast & { basis: { kind: string; robots: number; median_seconds: number; p90_seconds: number } };
  conflicts: { deployment_id: string; status: string; robots: number }[];
  budgets: { name: string; group?: string; robots: number; total: number; unavailable: number; allowed: number }[];
  deployment_id?: string;
}

export interface PlannedRobot {
  robot_id: string;
  wave: number;
  online: boolean;
  current?: { release_id?: string; tag?: string; revision?: number };
  conflict?: string;
  downgrade?: true;
  skip?: string;
}

/** Plans a release for the fleet of the world, or as `more` says. */
export async function planOf(it: DeploymentWorld, releaseId: string, more: object = {}): Promise<Plan> {
  const fleet = { target_kind: 'fleet', target_id: it.fleetId };
  const answer = await it.world.call('POST', '/api/deployment-plans', {
    body: { kind: 'release', release_id: releaseId, ...fleet, ...more },
  });
  if (answer.status !== 201) throw new Error(`the plan was refused: ${answer.text}`);
  return answer.body.data as Plan;
}

export const robotsOf = async (it: DeploymentWorld, { id }: Plan, query = ''): Promise<PlannedRobot[]> =>
  (await it.world.call('GET', `/api/deployment-plans/${id}/robots${query}`)).body.items as PlannedRobot[];

/** The waves of the robots by ID. */
export const wavesOf = (robots: readonly { robot_id: string; wave: number }[]) =>
  Object.fromEntries(robots.map(({ robot_id: id, wave }) => [id, wave]));

/** Deploys with a plan, and gives the reply. */
export const execute = (it: DeploymentWorld, { id }: Plan, more: object = {}, path = '/api/deployments') =>
  it.world.call('POST', path, { body: { plan_id: id, ...more }, headers: { 'Idempotency-Key': randomUUID() } });

/** The waves that the targets of a deployment have. */
export const targetWaves = async (it: DeploymentWorld, deploymentId: string) =>
  wavesOf((await it.targets(deploymentId)) as unknown as { robot_id: string; wave: number }[]);

export const label = (it: DeploymentWorld, robots: readonly LinkedRobot[], labels: object) =>
  it
    .db('robots')
    .whereIn(
      'id',
      robots.map(({ robotId }) => robotId),
    )
    .update({ labels: JSON.stringify(labels) });

export const inAnHour = () => ({ scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
