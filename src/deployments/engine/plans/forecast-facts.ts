import type { Knex } from 'knex';
import type { RobotDuration } from './forecast.ts';

/** Without an earlier deployment. */
const usual = { medianSeconds: 120, p90Seconds: 600 };
/** Deployments, and robots of each, that are looked at. */
const [maxDeployments, maxRobots] = [20, 1_000];
/** Zones of the robots of one wave. */
const maxZones = 20;

interface PlanKey {
  orgId: string;
  planId: string;
}

/**
 * How long robots took for the last deployments of the same release kind or config key, from the order until they
 * applied it, and the time of the database. Deployments with windows say nothing: their robots waited.
 */
export async function readDuration(db: Knex, key: PlanKey): Promise<{ now: Date; duration: RobotDuration }> {
  const { rows } = await db.raw<{ rows: [{ now: Date; robots: number; median: number | null; p90: number | null }] }>(
    `with last as materialized (
       select d.org_id, d.id from deployment_plans p
         join deployments d on d.org_id = p.org_id and d.lane = p.lane and d.payload_key = p.payload_key and d.rank is not null and d.rollout -> 'windows' is null
        where p.org_id = :orgId and p.id = :planId order by d.rank desc limit ${maxDeployments}
     ), done as (
       select extract(epoch from t.updated_at - t.dispatched_at)::float8 as seconds
         from last cross join lateral (
           select status, dispatched_at, updated_at from targets where org_id = last.org_id and deployment_id = last.id limit ${maxRobots}) t
        where t.status = 'applied' and t.dispatched_at is not null
     )
     select clock_timestamp() as now, count(*)::int as robots, percentile_cont(0.5) within group (order by seconds) as median,
            percentile_cont(0.9) within group (order by seconds) as p90 from done`,
    { ...key },
  );
  const [{ now, robots, median, p90 }] = rows;
  const measured = { medianSeconds: median ?? usual.medianSeconds, p90Seconds: p90 ?? usual.p90Seconds };
  return { now, duration: { robots, ...measured } };
}

/** The zones of the robots of each wave, by its number. */
export async function readZones(db: Knex, key: PlanKey): Promise<Map<number, readonly string[]>> {
  const { rows } = await db.raw<{ rows: { wave: number; zones: string[] }[] }>(
    // Grouped twice: `distinct` in the aggregate would sort all robots.
    `select wave, array_agg(zone order by zone) as zones
       from (select k.wave, coalesce(l.timezone, 'UTC') as zone
               from plan_robots k left join robot_links l on l.org_id = k.org_id and l.robot_id = k.robot_id
              where k.org_id = :orgId and k.plan_id = :planId group by 1, 2) found
      group by wave`,
    { ...key },
  );
  return new Map(rows.map(({ wave, zones }) => [wave, zones.slice(0, maxZones)]));
}
