import type { Knex } from 'knex';
import { plainArray } from '../../../platform/db/arrays.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { readWaves, type RobotWave, type TargetRobots } from '../rollouts/read-waves.ts';

interface PlanKey {
  orgId: string;
  planId: string;
}

/** `robots`: in the order in which they fill the waves. */
export async function insertPlanRobots(db: Knex, key: PlanKey, robots: readonly RobotWave[]): Promise<void> {
  await db.raw(
    `insert into plan_robots (org_id, plan_id, robot_id, place, wave)
     select :orgId, :planId, id, place, wave
       from unnest(:ids::uuid[], :waves::smallint[]) with ordinality as k (id, wave, place) order by id`,
    { ...key, ids: plainArray(robots.map(({ id }) => id)), waves: plainArray(robots.map(({ wave }) => wave)) },
  );
}

/** The robots of a plan, as they were planned. */
export async function readPlanRobots(db: Knex, key: PlanKey): Promise<RobotWave[]> {
  const { rows } = await db.raw<{ rows: RobotWave[] }>(
    'select robot_id as id, wave from plan_robots where org_id = :orgId and plan_id = :planId',
    { ...key },
  );
  return rows;
}

/**
 * The robots that the target of a plan has now, with the waves that they get in the order of the plan: a robot that was
 * offline then and is online now, or the reverse, changes none.
 */
export function readWavesAgain(
  trx: Knex,
  robots: TargetRobots,
  planId: string,
  rollout: Rollout | undefined,
): Promise<RobotWave[]> {
  const place = `(select p.place from plan_robots p
    where p.org_id = r.org_id and p.plan_id = ${robots.bindings.bind(planId)} and p.robot_id = r.id)`;
  return readWaves(trx, robots, `${place}, r.id`, rollout);
}

/** The robots of a plan that still belong to its target, each with its planned wave. */
export async function readPlannedWaves(
  trx: Knex,
  { isTarget, bindings }: TargetRobots,
  planId: string,
): Promise<RobotWave[]> {
  const { rows } = await trx.raw<{ rows: RobotWave[] }>(
    `select r.id, k.wave from plan_robots k join robots r on r.org_id = k.org_id and r.id = k.robot_id
      where k.org_id = :orgId and k.plan_id = :planId and ${isTarget} and r.retired_at is null order by k.place`,
    { ...bindings.values, planId },
  );
  return rows;
}

/** Robots that are in the fleet of a plan now, and not in the plan. */
export async function findJoined(trx: Knex, key: PlanKey & { fleetId: string }): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `select r.id from robots r
      where r.org_id = :orgId and r.fleet_id = :fleetId and r.retired_at is null
        and not exists (select from plan_robots p where p.org_id = r.org_id and p.plan_id = :planId and p.robot_id = r.id)
      order by r.id`,
    { ...key },
  );
  return rows.map(({ id }) => id);
}
