import { rolloutOf } from '../engine/holds.ts';
import { alive, isOnline } from '../engine/links.ts';
import { isInFlight, targetStatuses } from '../engine/model.ts';
import { isRobotHeld, robotHold, robotsThatMayBeHeld } from '../engine/robot-holds.ts';

/* SQL fragments by which views compute what is waited for. `target`: name of a row of `targets`. */

/** An instant in its wire format. */
export const wire = (instant: string) => `to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** What is waited for, and since when (`since`: SQL), as JSON. */
export const waits = (code: string, since: string) =>
  `json_strip_nulls(json_build_object('code', '${code}', 'since', ${wire(since)}))`;

/** What keeps robots of a deployment from being admitted. `of`: name of its row. */
export const heldBy = (of: string) =>
  `json_strip_nulls(json_build_object('code', ${of}.held_by, 'since', ${wire(`${of}.held_since`)}, 'detail', ${of}.held_detail))`;

/** What holds a robot, as JSON. `of`: name of the row of a deployment; `robotId`: SQL. */
export const robotHeldBy = (of: string, robotId: string) =>
  `(select json_strip_nulls(json_build_object('code', h.code, 'since', ${wire('h.since')}, 'detail', h.detail)) from (${robotHold(of, robotId)}) h)`;

/** When a deployment was paused or frozen, or the one that caused it was paused; null if neither is. `of`: name of its row. */
export const pausedAt = (of: string) => `case when ${of}.status = 'paused' then ${of}.paused_at else coalesce(
  (select f.frozen_at from deployment_freezes f where f.org_id = ${of}.org_id and f.thawed_at is null and ${of}.rollback_of is null),
  (select cause.paused_at from deployments cause
    where cause.org_id = ${of}.org_id and cause.id = ${of}.cause_id and cause.status = 'paused')) end`;

/**
 * It was made for a robot that joined during a rollout with download windows. If nothing else keeps it from being
 * dispatched, its window is closed: in an open one it is dispatched within seconds. `of`: name of its row.
 */
export const waitsForWindow = (of: string) =>
  `(${of}.cause_id is not null and ${rolloutOf(of)} -> 'windows' -> 'download' is not null)`;

/**
 * Whether the robot has an open order in the lane of this target. While the target waits, that order is of another
 * deployment.
 */
export const openOrder = (target: string) => `exists (select 1 from orders o
  where o.org_id = ${target}.org_id and o.robot_id = ${target}.robot_id and o.lane = ${target}.lane and o.ended_at is null)`;

/** The name of a person who decides about deployments, for people: `id` is that of a user, or of the org for its tokens. */
export const approverName = (orgId: string, id: string) =>
  `case when ${id} = ${orgId} then 'org token' else coalesce((select u.email from users u where u.org_id = ${orgId} and u.id = ${id}), 'removed user') end`;

/**
 * Maximum number of robots checked for what a deployment waits for. Checking all took 0.5 s with 90,000 offline robots.
 */
const maxLookedAt = 500;

const quoted = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');
/**
 * For open statuses only. It starts at `open_targets`: a nearly finished deployment has few of them among many targets.
 */
const firstTargets = (
  statuses: readonly string[],
) => `select o.org_id, o.robot_id, deployments.lane from open_targets o join targets t using (org_id, robot_id, deployment_id)
  where o.org_id = deployments.org_id and o.deployment_id = deployments.id and t.status in (${quoted(statuses)}) order by o.robot_id limit ${maxLookedAt}`;

/**
 * A select, within one from `deployments` with its counts as `c`, of robots with one of these statuses that are online: org_id,
 * robot_id and lane. All of them among up to `maxLookedAt` robots. Of more, it checks the first ones and, as those may all be
 * offline, as many that are online.
 */
const onlineRobots = (statuses: readonly string[], link: string) => {
  const count = statuses.map((status) => `c.${status}`).join(' + ');
  return `select t.* from (
      (${firstTargets(statuses)})
      union all
      select l.* from (
        select l.org_id, l.robot_id, deployments.lane from robot_links l
         where ${count} > ${maxLookedAt} and l.org_id = deployments.org_id and l.replica_id = ${alive} and ${link} limit ${maxLookedAt}) l
       where exists (select from targets o where o.org_id = l.org_id and o.deployment_id = deployments.id and o.robot_id = l.robot_id
                        and o.status in (${quoted(statuses)}) and o.deadline_at < 'infinity' offset 0)
    ) t where ${count} > 0 and ${isOnline('t', link)}`;
};

/** Whether robots have the order and are online: the deployment waits for them. */
export const someBusy = `exists (${onlineRobots(targetStatuses.filter(isInFlight), 'true')})`;

/**
 * A select about the robots that wait for their order, take orders and are online: `some_wait`, `some_free` of them that nothing
 * holds, `some_behind` an earlier order.
 */
export const waitingRobots = `select count(*) > 0 as some_wait, coalesce(bool_or(not ${isRobotHeld('deployments', 't.robot_id')}), false) as some_free,
    coalesce(bool_or(${openOrder('t')}), false) as some_behind from (${onlineRobots(['waiting'], 'l.takes_orders')}) t`;

/** What holds one of the robots whose wave has begun; null if nothing holds any. */
export const someRobotHeldBy = `(
  select json_strip_nulls(json_build_object('code', h.code, 'since', ${wire('h.since')}, 'detail', 'robot ' || r.name || ': ' || h.detail))
    from (select k.robot_id from ${robotsThatMayBeHeld('deployments')} k limit ${maxLookedAt}) k
    join targets t on t.org_id = deployments.org_id and t.deployment_id = deployments.id and t.robot_id = k.robot_id and t.status = 'waiting'
    join robots r on r.org_id = deployments.org_id and r.id = k.robot_id
   cross join lateral (${robotHold('deployments', 'k.robot_id')}) h
   where deployments.open_wave is null or t.wave <= deployments.open_wave order by r.name limit 1)`;
