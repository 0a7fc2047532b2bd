import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { requestPause } from './controls/pause.ts';
import { insertDeploymentEvent } from './events.ts';
import type { TargetRobots } from './rollouts/read-waves.ts';

interface DeploymentKey {
  orgId: string;
  deploymentId: string;
}

/** The bindings have also `deploymentId`. */
type Robots = TargetRobots & DeploymentKey;

/** Pause until it is looked again whether older deployments have ended. */
const againSeconds = 2;
/** Most of them that are named, or paused by one start. */
const maxOlder = 100;

/**
 * Older deployments of the same lane and key that are open for a robot of the target. Those that have not begun are for
 * no robot yet.
 */
async function findOlder(trx: Knex, { isTarget, bindings }: Robots): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select o.id from deployments d
       join deployments o on o.org_id = d.org_id and o.lane = d.lane and o.payload_key = d.payload_key and o.ended_at is null and o.rank is not null
      where d.org_id = :orgId and d.id = :deploymentId and exists (
        select from targets t join robots r on r.org_id = t.org_id and r.id = t.robot_id and r.retired_at is null
         where t.org_id = o.org_id and t.deployment_id = o.id and t.deadline_at is not null and ${isTarget})
      order by o.id limit ${maxOlder}`,
    bindings.values,
  );
  return rows.map(({ id }) => id);
}

const postpone = (trx: Knex, { orgId, deploymentId }: DeploymentKey, older?: readonly string[]) =>
  trx.raw(
    `update deployments set due_at = now() + make_interval(secs => :seconds), blocked_by = coalesce(:older::uuid[], blocked_by)
      where org_id = :orgId and id = :deploymentId`,
    { orgId, deploymentId, seconds: againSeconds, older: older ? plainArray(older) : null },
  );

/** Whether one of the deployments that blocked it before is open: a look-up, whatever their size. Then it is postponed. */
export async function isStillBlocked(trx: Knex, key: DeploymentKey, blockedBy: readonly string[]): Promise<boolean> {
  if (blockedBy.length === 0) return false;
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    'select from deployments where org_id = :orgId and id = any(:older::uuid[]) and ended_at is null limit 1',
    { orgId: key.orgId, older: plainArray(blockedBy) },
  );
  if (rows.length === 0) return false;
  await postpone(trx, key);
  return true;
}

/** Whether older deployments must end before it begins. Then it is postponed, and says so once for the same ones. */
export async function isBlocked(trx: Knex, robots: Robots): Promise<boolean> {
  const older = await findOlder(trx, robots);
  const [first] = older;
  if (first === undefined) return false;
  await postpone(trx, robots, older);
  const others = older.length === 1 ? '' : ` and ${older.length - 1} more`;
  const message = `waits until deployment ${first}${others} has ended`;
  await insertDeploymentEvent(trx, { ...keyOf(robots), status: 'scheduled', reason: 'blocked', message });
  return true;
}

/** Pauses them. What robots of both wait for is replaced by the newer one, as always. */
export async function pauseOlder(trx: Knex, robots: Robots): Promise<void> {
  const { orgId, deploymentId } = robots;
  const reason = `deployment ${deploymentId} began`;
  for (const older of await findOlder(trx, robots))
    await requestPause(trx, { orgId, deploymentId: older, reason }, 'superseded');
}

const keyOf = ({ orgId, deploymentId }: DeploymentKey): DeploymentKey => ({ orgId, deploymentId });
