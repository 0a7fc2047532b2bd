import type { HealthStatus, RobotFilter } from './model.ts';
import { selectorSql } from './selector-sql.ts';

type Condition = (bind: (value: unknown) => string) => string;

/**
 * The SQL conditions of filters that are not equal columns of `robots_now`. Each is a set of IDs, or a condition on an
 * indexed expression, so the planner knows how many robots match: it reads few of them by the index, and
 * many in the order of the list, until the page is full.
 */
export function filterConditions(orgId: string, filter: RobotFilter): Condition[] {
  const { selector, healthStatus, condition, releaseId, isPinned, nameContains } = filter;
  const conditions: Condition[] = [];
  if (selector) conditions.push((bind) => selectorSql(selector, { row: 'robots_now', orgId }, bind));
  if (healthStatus) conditions.push(healthCondition(orgId, healthStatus));
  if (condition !== undefined)
    conditions.push((bind) => {
      const name = bind(condition);
      return `id in (
        select robot_id from robot_status where org_id = ${bind(orgId)} and firing && (
          select array_agg(r.id) from condition_rules r where r.org_id = ${bind(orgId)}
             and (r.id::text = ${name} or name_key(r.name) = name_key(${name}))))`;
    });
  if (releaseId !== undefined)
    conditions.push(
      (bind) => `id in (
        select p.robot_id from releases r join robot_reports p
            on p.org_id = r.org_id and p.releases @> jsonb_build_object(r.kind, jsonb_build_object('release_id', r.id))
         where r.org_id = ${bind(orgId)} and r.id = ${bind(releaseId)}::uuid)`,
    );
  if (isPinned !== undefined)
    conditions.push(
      (bind) =>
        `id ${isPinned ? '' : 'not '}in (select robot_id from robot_pins where org_id = ${bind(orgId)} and until > now())`,
    );
  if (nameContains !== undefined)
    conditions.push((bind) => {
      const part = `name_key(${bind(nameContains)})`;
      return `name_parts(name_key) @> name_parts(${part}) and position(${part} in name_key) > 0`;
    });
  return conditions;
}

function healthCondition(orgId: string, status: HealthStatus): Condition {
  switch (status) {
    case 'unhealthy':
    case 'degraded': {
      const severity = status === 'unhealthy' ? 2 : 1;
      return (bind) =>
        `id in (select robot_id from robot_status where org_id = ${bind(orgId)} and severity = ${severity})`;
    }
    case 'healthy':
      return (
        bind,
      ) => `id in (select robot_id from robot_status where org_id = ${bind(orgId)} and severity = 0 and is_known)
        and id in (select l.robot_id from replicas p join robot_links l on l.replica_id = p.id
                    where p.lease_until > now() and l.org_id = ${bind(orgId)})`;
    case 'unknown':
      return (bind) => {
        const org = bind(orgId);
        return `id in (
          (select robot_id from robot_status where org_id = ${org} and not is_known
           union select robot_id from robot_links where org_id = ${org} and replica_id is null
           union select l.robot_id from replicas p join robot_links l on l.replica_id = p.id
                  where p.lease_until <= now() and l.org_id = ${org})
          except select robot_id from robot_status where org_id = ${org} and severity > 0)`;
      };
  }
}
