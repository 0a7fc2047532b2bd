import { isWithRobot, targetStatuses } from '../engine/model.ts';

/* Pieces of SQL by which views tell what somebody waits for. `target`: name of a row of targets. */

/** An instant as it goes out. */
export const wire = (instant: string) => `to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** What something waits for, and since which instant (SQL), as JSON. */
export const waits = (code: string, since: string) =>
  `json_strip_nulls(json_build_object('code', '${code}', 'since', ${wire(since)}))`;

/** An open order of the robot in the lane of this target, which is of another deployment as long as this one waits. */
export const openOrder = (target: string) => `exists (select 1 from orders o
  where o.org_id = ${target}.org_id and o.robot_id = ${target}.robot_id and o.lane = ${target}.lane and o.ended_at is null)`;

/** The replicas that are alive. */
const alive = 'any(array(select id from replicas where lease_until > now()))';
/** Whether the robot of this target is online and the link is such. `offset 0`: looked up for each, where Postgres would read all links. */
export const online = (target: string, such = 'true') => `exists (
  select 1 from robot_links l
   where l.org_id = ${target}.org_id and l.robot_id = ${target}.robot_id and l.replica_id = ${alive} and ${such} offset 0)`;

/** Robots that are looked at, at most, to tell what a deployment waits for. With 90,000 that are away all of them took half a second. */
const maxLookedAt = 500;

/** Pieces of a select from `deployments` and its counts as `c`. `such`: of `t`, with the columns org_id, robot_id and lane. */
type Look = (such: string) => string;

const countOf = (statuses: readonly string[]) => statuses.map((status) => `c.${status}`).join(' + ');

/**
 * Whether one of the robots with these statuses is online and such. Exact up to so many robots; of more the first are looked at, and, as those may all
 * be away, as many that are online.
 */
const someOnline =
  (statuses: readonly string[], link: string): Look =>
  (
    such,
  ) => `(${countOf(statuses)} > 0 and exists (select 1 from (${firstTargets(statuses)}) t where ${online('t', link)} and ${such})
    or ${countOf(statuses)} > ${maxLookedAt} and exists (
      select 1 from (
        select l.org_id, l.robot_id, deployments.lane from robot_links l
         where l.org_id = deployments.org_id and l.replica_id = ${alive} and ${link} limit ${maxLookedAt}) t
       where exists (select 1 from targets o where o.org_id = t.org_id and o.deployment_id = deployments.id and o.robot_id = t.robot_id
                        and o.status in (${quoted(statuses)}) offset 0)
         and ${such}))`;

const quoted = (statuses: readonly string[]) => statuses.map((status) => `'${status}'`).join(', ');
/** Of statuses that are open: a deployment that is nearly over has few such targets among many. */
const firstTargets = (
  statuses: readonly string[],
) => `select o.org_id, o.robot_id, deployments.lane from open_targets o join targets t using (org_id, robot_id, deployment_id)
  where o.org_id = deployments.org_id and o.deployment_id = deployments.id and t.status in (${quoted(statuses)}) order by o.robot_id limit ${maxLookedAt}`;

/** Robots that wait for their order and take orders. */
export const someWaiting = someOnline(['waiting'], 'l.takes_orders');

/** Robots that have the order: what the deployment waits for is one of them that is there. */
export const someBusy = someOnline(targetStatuses.filter(isWithRobot), 'true');
