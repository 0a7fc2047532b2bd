import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';
import type { HealthStatus, RobotFilter } from './model.ts';
import { releaseCondition, type Condition } from './release-condition.ts';
import { selectorConditions } from './selector-filters.ts';

/**
 * The SQL conditions of filters that are not equal columns of `robots_now`. Each is a set of IDs, or a condition on an
 * indexed expression, so the planner knows how many robots match: it reads few of them by the index, and
 * many in the order of the list, until the page is full. Names are looked up first, as it does not know what is behind them.
 * Unknown health is left out, as its condition depends on the page.
 */
export async function filterConditions(db: Knex, orgId: string, filter: RobotFilter): Promise<Condition[]> {
  const { selector, healthStatus, condition, releaseId, isPinned, nameContains } = filter;
  const conditions: Condition[] = [];
  if (selector) conditions.push(...(await selectorConditions(db, orgId, selector)));
  if (healthStatus && healthStatus !== 'unknown') conditions.push(healthCondition(orgId, healthStatus));
  if (condition !== undefined) {
    const ruleIds = plainArray(await findRules(db, orgId, condition));
    conditions.push(
      (bind) =>
        `id in (select robot_id from robot_status where org_id = ${bind(orgId)} and firing && ${bind(ruleIds)}::uuid[])`,
    );
  }
  if (releaseId !== undefined) {
    const found = await db<{ org_id: string; id: string; kind: string }>('releases')
      .where({ org_id: orgId, id: releaseId })
      .select('kind', 'id');
    conditions.push(releaseCondition(orgId, found));
  }
  if (isPinned === true)
    conditions.push(
      (bind) => `id in (select robot_id from robot_pins where org_id = ${bind(orgId)} and until > now())`,
    );
  if (isPinned === false)
    conditions.push(
      () =>
        `not exists (select from robot_pins p where p.org_id = robots_now.org_id and p.robot_id = robots_now.id and p.until > now())`,
    );
  if (nameContains !== undefined)
    conditions.push((bind) => {
      const part = `name_key(${bind(nameContains)})`;
      return `name_parts(name_key) @> name_parts(${part}) and position(${part} in name_key) > 0`;
    });
  return conditions;
}

/** The rules with this ID or name. */
async function findRules(db: Knex, orgId: string, condition: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from condition_rules where org_id = :orgId and (id::text = :condition or name_key(name) = name_key(:condition))`,
    { orgId, condition },
  );
  return rows.map(({ id }) => id);
}

function healthCondition(orgId: string, status: Exclude<HealthStatus, 'unknown'>): Condition {
  if (status !== 'healthy') {
    const severity = status === 'unhealthy' ? 2 : 1;
    return (bind) =>
      `id in (select robot_id from robot_status where org_id = ${bind(orgId)} and severity = ${severity})`;
  }
  return (
    bind,
  ) => `id in (select robot_id from robot_status where org_id = ${bind(orgId)} and severity = 0 and is_known)
        and id in (select l.robot_id from replicas p join robot_links l on l.replica_id = p.id
                    where p.lease_until > now() and l.org_id = ${bind(orgId)})`;
}
