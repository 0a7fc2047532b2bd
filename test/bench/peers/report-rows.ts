import type pg from 'pg';

/** One step of one robot's order. */
export interface Step {
  orgId: string;
  deploymentId: string;
  robotId: string;
  orderId: string;
  from: string;
  to: string;
}

/** The link is looked at, the target moved, counted, told. A statement by itself is a transaction of one round trip: it cannot be had for less. */
const moved = (from: string, to: string, deadline: string) => `with moved as (
    update targets set status = '${to}', deadline_at = ${deadline}, updated_at = clock_timestamp()
     where org_id = $1 and deployment_id = $2 and robot_id = $3 and order_id = $4 and status = '${from}'
       and exists (select from robot_links l where l.org_id = $1 and l.robot_id = $3 and l.epoch = 1)
    returning robot_id
  ), counted as (
    update deployment_counts set ${from} = ${from} - 1, ${to} = ${to} + 1, event_seq = event_seq + 1
     where org_id = $1 and deployment_id = $2 and exists (select from moved)
    returning event_seq, total, applied
  )`;
const told = (to: string, status: string) =>
  `insert into deployment_events (org_id, deployment_id, seq, status, robot_id, target_status)
   select $1, $2, event_seq, ${status}, $3, '${to}' from counted`;

const going = (from: string, to: string) =>
  `${moved(from, to, `clock_timestamp() + interval '30 minutes'`)} ${told(to, `'in_progress'`)}`;

/** The last step ends the order too, goes to the robot's timeline, and says what it runs. */
const ending = (from: string) => `${moved(from, 'applied', 'null')}, ended as (
    update deployments set status = 'applied', ended_at = clock_timestamp()
     where org_id = $1 and id = $2 and exists (select from counted where applied = total)
  ), done as (
    update orders set ended_at = clock_timestamp() where org_id = $1 and id = $4 and exists (select from moved)
  ), noted as (
    insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
    select $1, $3, gen_random_uuid(), 'deployment_ended', jsonb_build_object('deployment_id', $2::uuid, 'status', 'applied') from moved
  ), proved as (
    insert into robot_reports as p (org_id, robot_id, releases)
    select $1, $3, jsonb_build_object('container_image',
             jsonb_build_object('release_id', r.id, 'tag', r.tag, 'deployment_id', d.id, 'at', clock_timestamp()))
      from moved join deployments d on d.org_id = $1 and d.id = $2 join releases r on r.org_id = $1 and r.id = d.release_id
    on conflict (org_id, robot_id) do update set releases = p.releases || excluded.releases
  ) ${told('applied', `case when applied = total then 'applied' else 'in_progress' end`)}`;

/** Records one report in a transaction of its own. @throws where it moved nothing */
export async function recordStep(db: pg.Pool, { from, to, ...key }: Step): Promise<void> {
  const text = to === 'applied' ? ending(from) : going(from, to);
  const values = [key.orgId, key.deploymentId, key.robotId, key.orderId];
  const { rowCount } = await db.query({ name: `${from}-${to}`, text, values });
  if (rowCount !== 1) throw new Error(`a report of ${to} moved nothing`);
}
