import type { Knex } from 'knex';
import type { Page } from '../../kernel/page.ts';
import type { JsonRows } from '../../platform/db/json-rows.ts';
import { readPage } from '../../platform/db/page.ts';
import { tooManyOrders } from '../engine/model.ts';
import { isQueueFull, mayFillQueue } from '../engine/queue-limit.ts';
import { hasNewerRelease, isDowngrade } from '../engine/downgrades.ts';
import { alive, isOnline } from '../engine/links.ts';
import { isRobotHeld, robotHoldCode } from '../engine/robot-holds.ts';

/*
 * What is known of the robots of a plan now. In the fragments, `p` is the row of the plan, and `k` that of one of its
 * robots.
 */

/** What the robot has proved to have of the release kind or config key. `q`: the row of `robot_reports`. */
const proven = `case when p.release_id is not null then q.releases -> substr(p.lane, 9) else q.configs -> p.payload_key end`;

/** Whether that is what the plan brings. */
const isCurrent = `coalesce(case when p.release_id is not null then ${proven} ->> 'release_id' = p.release_id::text
  else ${proven} ->> 'config_id' = p.config_id::text and ${proven} ->> 'revision' = p.revision::text end, false)`;

/** Why the robot `r`, null if it was removed, would not get it. `mayCrowd`: SQL. */
const skip = (mayCrowd: string) => `case
  when r.id is null then 'robot_removed'
  when p.target_kind = 'fleet' and r.fleet_id <> p.target_id then 'left_fleet'
  when exists (select from robot_links a where a.org_id = k.org_id and a.robot_id = k.robot_id and (
         p.rollout -> 'windows' -> 'activate' is not null and not a.keeps_windows
         or p.rollout -> 'gates' ->> 'required' = 'true' and not a.asks_gates)) then 'agent_too_old'
  when ${isRobotHeld('p', 'k.robot_id')} then ${robotHoldCode('p', 'k.robot_id')}
  when not ${mayCrowd} then null
  when ${isQueueFull({ orgId: 'p.org_id', robotId: 'k.robot_id', lane: 'p.lane', key: 'p.payload_key' })} then '${tooManyOrders}' end`;

const robot = `left join robots r on r.org_id = k.org_id and r.id = k.robot_id and r.retired_at is null`;
const reports = `left join robot_reports q on q.org_id = k.org_id and q.robot_id = k.robot_id`;
const isOther = (deploymentId: string) => `${deploymentId} is distinct from p.deployment_id`;

/** The numbers of each wave that has robots, with the bindings `orgId` and `id`. */
export const waveCounts = `
  select k.wave, count(*) as robots, count(*) filter (where l.replica_id = ${alive}) as online,
         count(*) filter (where ${isCurrent}) as current, count(*) filter (where ${skip('org.may_crowd')} is not null) as skipped,
         count(*) filter (where ${isDowngrade('p', 'q')}) as downgrades
    from deployment_plans p
    cross join (select ${mayFillQueue(':orgId')} as may_crowd) org
    join plan_robots k on k.org_id = p.org_id and k.plan_id = p.id
    ${robot} ${reports}
    left join robot_links l on l.org_id = k.org_id and l.robot_id = k.robot_id
   where p.org_id = :orgId and p.id = :id group by k.wave order by k.wave`;

/** How many robots of a plan run a newer release, at most `most`; no row if no release is newer. Also has the bindings `orgId` and `id`. */
export const downgradeCount = `
  select found.robots from deployment_plans p
   cross join lateral (
     select count(*)::int as robots from (
       select from plan_robots k join robot_reports q on q.org_id = k.org_id and q.robot_id = k.robot_id
        where k.org_id = p.org_id and k.plan_id = p.id and ${isDowngrade('p', 'q')} limit :most) newer) found
   where p.org_id = :orgId and p.id = :id and ${hasNewerRelease('p')}`;

/** Deployments that are the newest other open one of a robot, with the same bindings. */
export const openConflicts = `
  select d.id as deployment_id, d.status, found.robots, found.total
    from (
      select deployment_id, rank, count(*) as robots, (sum(count(*)) over ())::int as total
        from (
          select distinct on (t.robot_id) t.robot_id, t.deployment_id, t.rank
            from deployment_plans p
            join deployments d on d.org_id = p.org_id and d.lane = p.lane and d.payload_key = p.payload_key
             and d.ended_at is null and d.rank is not null and ${isOther('d.id')}
            join targets t on t.org_id = d.org_id and t.deployment_id = d.id and t.deadline_at is not null
            join plan_robots k on k.org_id = p.org_id and k.plan_id = p.id and k.robot_id = t.robot_id
           where p.org_id = :orgId and p.id = :id order by t.robot_id, t.rank desc) newest
       group by deployment_id, rank order by robots desc, rank desc limit 100) found
    join deployments d on d.org_id = :orgId and d.id = found.deployment_id
   order by found.robots desc, found.rank desc`;

const ofPlan = (what: string, joins = '') => `(select ${what} from deployment_plans p
  join plan_robots k on k.org_id = p.org_id and k.plan_id = p.id and k.robot_id = plan_robots.robot_id ${joins}
 where p.org_id = plan_robots.org_id and p.id = plan_robots.plan_id)`;

const current = ofPlan(
  `case when ${proven} is not null then jsonb_strip_nulls(jsonb_build_object(
     'release_id', ${proven} -> 'release_id', 'tag', ${proven} -> 'tag', 'revision', ${proven} -> 'revision')) end`,
  reports,
);

const downgrade = ofPlan(`case when ${isDowngrade('p', 'q')} then true end`, reports);

const conflict = `(select t.deployment_id from deployment_plans p
  join targets t on t.org_id = p.org_id and t.robot_id = plan_robots.robot_id and t.lane = p.lane and t.payload_key = p.payload_key
 where p.org_id = plan_robots.org_id and p.id = plan_robots.plan_id and t.deadline_at is not null and ${isOther('t.deployment_id')}
 order by t.rank desc limit 1)`;

const columns = ['robot_id', 'wave'] as const;

/** How the robots of a plan are listed. `mayCrowd`: what `mayFillQueue` said, which would be asked again for each robot. */
const planRobotListing = (mayCrowd: boolean) =>
  ({
    table: 'plan_robots',
    columns,
    computed: {
      online: isOnline('plan_robots'),
      current,
      downgrade,
      conflict,
      skip: ofPlan(skip(String(mayCrowd)), robot),
    },
    order: { column: 'robot_id', holds: 'string' },
  }) as const;

export type PlanRobotRows = JsonRows<(typeof columns)[number] | keyof ReturnType<typeof planRobotListing>['computed']>;

export async function listPlanRobots(
  db: Knex,
  { orgId, ...filter }: { orgId: string; planId: string; wave: number | undefined },
  page: Page,
): Promise<PlanRobotRows> {
  const { rows } = await db.raw<{ rows: [{ may_crowd: boolean }] }>(`select ${mayFillQueue(':orgId')} as may_crowd`, {
    orgId,
  });
  const found = { org_id: orgId, plan_id: filter.planId, wave: filter.wave };
  return readPage(db, planRobotListing(rows[0].may_crowd), found, page);
}
