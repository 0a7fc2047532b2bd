/* Pieces of SQL by which views tell what somebody waits for. `target`: name of a row of targets. */

/** An instant as it goes out. */
const wire = (instant: string) => `to_char(${instant}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** What something waits for, and since which instant (SQL), as JSON. */
export const waits = (code: string, since: string) =>
  `json_strip_nulls(json_build_object('code', '${code}', 'since', ${wire(since)}))`;

/** An open order of the robot in the lane of this target, which is of another deployment as long as this one waits. */
export const openOrder = (target: string) => `exists (select 1 from orders o
  where o.org_id = ${target}.org_id and o.robot_id = ${target}.robot_id and o.lane = ${target}.lane and o.ended_at is null)`;
/** Whether the robot of this target is online and the link is such. */
export const online = (target: string, such = 'true') => `exists (
  select 1 from robot_links l
   where l.org_id = ${target}.org_id and l.robot_id = ${target}.robot_id
     and l.replica_id = any(array(select id from replicas where lease_until > now())) and ${such})`;
