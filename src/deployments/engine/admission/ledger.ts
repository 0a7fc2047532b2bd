import type { Knex } from 'knex';
import { allowedUnavailable, type Budget } from '../../../disruption-budgets/service.ts';
import { namedBindings, type NamedBindings } from '../../../platform/db/named-bindings.ts';
import { mayDispatchTo } from '../holds.ts';
import { alive } from '../links.ts';
import type { TargetRobots } from '../rollouts/read-waves.ts';
import { selectedSql } from '../target-sql.ts';

/** The robots of a budget that are counted together. */
export interface BudgetGroup {
  budget: Budget;
  key: string; // the values of `group_by`, as JSON
  unavailable: number; // robots
  allowed: number; // robots that may be unavailable
  total: number;
  robots: number; // of the target, if one was given
}

/**
 * The robots of the org that are online, healthy, not in maintenance and at work on no deployment: common tables for a
 * query with the binding `orgId`. A robot that may receive its order at any moment is at work.
 */
export const availableRobots = `busy as materialized (
    select distinct o.robot_id from open_targets o
      join targets t using (org_id, robot_id, deployment_id) join deployments d on d.org_id = o.org_id and d.id = o.deployment_id
     where o.org_id = :orgId and (t.status <> 'waiting' or ${mayDispatchTo('d', 't')})
  ), available as materialized (
    select l.robot_id from robot_links l left join robot_status s using (org_id, robot_id)
     where l.org_id = :orgId and l.replica_id = ${alive} and coalesce(s.severity, 0) < 2 and s.maintenance is null
       and not exists (select from busy b where b.robot_id = l.robot_id)
  )`;

/**
 * Runs a query about all robots of an org. In a transaction, it joins them: Postgres expects few rows of a common table,
 * and compared 20,000 robots with each other. `lookUpByKey` may have been called before, and nothing after it needs it.
 */
export async function joined<Result>(trx: Knex, query: () => PromiseLike<Result>): Promise<Result> {
  const plan = (join: 'on' | 'off', loop: 'on' | 'off') =>
    trx.raw(
      `select set_config('enable_hashjoin', :join, true), set_config('enable_mergejoin', :join, true), set_config('enable_nestloop', :loop, true)`,
      { join, loop },
    );
  await plan('on', 'off');
  const result = await query();
  await plan('on', 'on');
  return result;
}

/** The group of the robot `r` in a budget, as SQL: its key, or null outside of the budget. */
export const groupSql = (orgId: string, budget: Budget, bind: NamedBindings['bind']): string =>
  `case when ${scopeSql(orgId, budget, bind)} then ${keySql(budget, bind)} end`;

/** A budget that names what no longer exists is for all robots, and lets none of them be unavailable. */
const scopeSql = (orgId: string, { selector, missing }: Budget, bind: NamedBindings['bind']): string =>
  selector === undefined || missing !== undefined ? 'true' : selectedSql(orgId, selector, bind);

const keySql = ({ group_by: keys }: Budget, bind: NamedBindings['bind']): string =>
  `jsonb_build_array(${keys
    .map((key) => (key.startsWith('@') ? `r.${key.slice(1)}_id` : `r.labels ->> ${bind(key)}::text`))
    .join(', ')})::text`;

/** All groups of these budgets as they are now. `target`: whose robots are counted too; default: none are. */
export async function readGroups(
  db: Knex,
  orgId: string,
  budgets: readonly Budget[],
  { isTarget, bindings }: Pick<TargetRobots, 'isTarget' | 'bindings'> = nobody(orgId),
): Promise<BudgetGroup[]> {
  if (budgets.length === 0) return [];
  const counts = budgets.map(
    (budget, index) => `
      select ${index} as n, ${keySql(budget, bindings.bind)} as key, count(*) as total, count(*) filter (where a.robot_id is null) as unavailable,
             count(*) filter (where ${isTarget}) as robots
        from robots r left join available a on a.robot_id = r.id
       where r.org_id = :orgId and r.retired_at is null and ${scopeSql(orgId, budget, bindings.bind)} group by 2`,
  );
  const { rows } = await joined(db, () =>
    db.raw<{ rows: (Omit<BudgetGroup, 'budget' | 'allowed'> & { n: number })[] }>(
      `with ${availableRobots} ${counts.join(' union all ')}`,
      bindings.values,
    ),
  );
  return rows.flatMap(({ n, ...counted }) => {
    const budget = budgets[n];
    if (!budget) return [];
    return [
      { budget, ...counted, allowed: budget.missing === undefined ? allowedUnavailable(budget, counted.total) : 0 },
    ];
  });
}

const nobody = (orgId: string) => ({ isTarget: 'false', bindings: namedBindings({ orgId }) });
