import type { Knex } from 'knex';
import type { Severity } from './model.ts';

/** Numbers of robots; the four statuses add up to `total`. */
export interface HealthCounts {
  total: number;
  online: number;
  healthy: number;
  degraded: number;
  unhealthy: number;
  unknown: number;
  maintenance: number;
}

export interface FleetCounts {
  fleetId: string;
  fleetName: string;
  siteId: string;
  counts: HealthCounts;
}

export interface ConditionCount {
  ruleId: string;
  name: string;
  severity: Severity;
  robots: number;
}

/** Counts of robots `r` with `liveLinks`, without those whose health is unknown. */
export const statusColumns = `
  count(*)::integer as total,
  count(*) filter (where p.id is not null)::integer as online,
  count(*) filter (where s.severity = 0 and p.id is not null and s.is_known)::integer as healthy,
  count(*) filter (where s.severity = 1)::integer as degraded,
  count(*) filter (where s.severity = 2)::integer as unhealthy`;

/** Of robots `r`: `p` if the robot is online, and its status `s`. */
export const liveLinks = `
  left join robot_links l on l.org_id = r.org_id and l.robot_id = r.id
  left join replicas p on p.id = l.replica_id and p.lease_until > now()
  left join robot_status s on s.org_id = r.org_id and s.robot_id = r.id`;

export function summaryStore(db: Knex) {
  return {
    /** The fleets of an org by name, also those without robots. */
    async fleets(orgId: string): Promise<FleetCounts[]> {
      const { rows } = await db.raw<{ rows: (HealthCounts & Omit<FleetCounts, 'counts'>)[] }>(
        `select f.id as "fleetId", f.name as "fleetName", f.site_id as "siteId",
                coalesce(total, 0) as total, coalesce(online, 0) as online, coalesce(healthy, 0) as healthy,
                coalesce(degraded, 0) as degraded, coalesce(unhealthy, 0) as unhealthy,
                coalesce(total - healthy - degraded - unhealthy, 0) as unknown, coalesce(maintenance, 0) as maintenance
           from fleets f left join (
             select r.fleet_id, ${statusColumns}, count(s.maintenance)::integer as maintenance
               from robots r ${liveLinks}
              where r.org_id = :orgId and r.retired_at is null group by r.fleet_id
           ) c on c.fleet_id = f.id
          where f.org_id = :orgId order by lower(f.name), f.id`,
        { orgId },
      );
      return rows.map(({ fleetId, fleetName, siteId, ...counts }) => ({ fleetId, fleetName, siteId, counts }));
    },

    async sites(orgId: string): Promise<{ id: string; name: string }[]> {
      return db('sites').select('id', 'name').where({ org_id: orgId }).orderByRaw('lower(name), id');
    },

    /** Rules that count for at least one robot, most robots first. */
    async conditions(orgId: string): Promise<ConditionCount[]> {
      const { rows } = await db.raw<{ rows: ConditionCount[] }>(
        `select r.id as "ruleId", r.name, r.severity, count(*)::integer as robots
           from robot_status s, unnest(s.firing) as fired join condition_rules r on r.id = fired
          where s.org_id = :orgId and s.severity > 0 and r.org_id = :orgId
          group by r.id, r.name, r.severity order by count(*) desc, r.name`,
        { orgId },
      );
      return rows;
    },
  };
}
