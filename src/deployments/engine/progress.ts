import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import { gateDueAt, isWaitingForGate } from './gates.ts';
import type { ReportOfLink } from './links.ts';
import { maxProgressHours, mayCarryProgress } from './model.ts';
import { isOnOrder } from './open-targets.ts';

/**
 * Stores progress within a status that is already known. Returns the indexes of those reports, which need no other
 * work. Each extends its deadline; a robot that waits for its gates does not time out. This never waits: targets and orders that others hold are skipped, so it needs no
 * lock of their deployment.
 */
export async function keepProgress(db: Knex, reports: readonly ReportOfLink[]): Promise<ReadonlySet<number>> {
  // Of each order and status the last report counts, as two would update one row. A report of another status than the
  // current one matches no row.
  const last = new Map<string, number>();
  reports.forEach((each, index) => {
    if (tellsHowFar(each)) last.set(nameOf(each), index);
  });
  const latest = [...last.values()].flatMap((index) => {
    const { link, report } = reports[index] ?? {};
    return link && report?.progress ? [{ index, link, report, progress: report.progress }] : [];
  });
  if (latest.length === 0) return new Set();
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `with latest as (
       select * from unnest(?::int[], ?::uuid[], ?::uuid[], ?::uuid[], ?::bigint[], ?::text[], ?::smallint[], ?::text[], ?::jsonb[])
         as t (n, org_id, robot_id, order_id, epoch, status, percent, text, gate)
     ), going_on as (
       select latest.*, t.deployment_id, clock_timestamp() as at,
              case when latest.gate is not null then now() + interval '${maxProgressHours} hours'
                   else least(now() + make_interval(mins => d.active_minutes), t.updated_at + interval '${maxProgressHours} hours') end as renewed,
              case when latest.gate is not null and ${isWaitingForGate('t')} then t.gate_since
                   when latest.gate is not null then clock_timestamp() end as gate_since,
              case when latest.gate is not null and ${isWaitingForGate('t')} then t.gate_due_at
                   when latest.gate is not null then ${gateDueAt('d', 'now()')} end as gate_due_at
         from latest
         join robot_links l using (org_id, robot_id, epoch)
         join orders o on o.org_id = latest.org_id and o.id = latest.order_id and o.robot_id = latest.robot_id
         join targets t on ${isOnOrder('t', 'o')} and t.status = latest.status
         join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
        where t.deadline_at > now()
          for no key update of t skip locked
     ), kept as (
       update targets t
          set progress_percent = g.percent, progress_text = g.text, progress_at = g.at,
              gate = g.gate, gate_at = case when g.gate is not null then g.at end, gate_since = g.gate_since, gate_due_at = g.gate_due_at,
              deadline_at = greatest(t.deadline_at, g.renewed)
         from going_on g
        where t.org_id = g.org_id and t.deployment_id = g.deployment_id and t.robot_id = g.robot_id
     ), quiet as (
       select o.org_id, o.id from (select distinct org_id, order_id from going_on) g
         join orders o on o.org_id = g.org_id and o.id = g.order_id
        where o.touched_at < now() - interval '15 seconds'
          for no key update of o skip locked
     ), touched as (
       update orders o set touched_at = now() from quiet where o.org_id = quiet.org_id and o.id = quiet.id
     )
     select distinct n from going_on`,
    [
      plainArray(latest.map(({ index }) => index)),
      plainArray(latest.map(({ link }) => link.orgId)),
      plainArray(latest.map(({ link }) => link.robotId)),
      plainArray(latest.map(({ report }) => report.orderId)),
      plainArray(latest.map(({ link }) => link.epoch)),
      plainArray(latest.map(({ report }) => report.status)),
      plainArray(latest.map(({ progress }) => progress.percent)),
      nullableArray(latest.map(({ progress }) => progress.text)),
      nullableArray(latest.map(({ progress: { waitingOn } }) => waitingOn && JSON.stringify(waitingOn))),
    ],
  );
  const kept = new Set(rows.map(({ n }) => n));
  const isKept = (each: ReportOfLink) => tellsHowFar(each) && kept.has(last.get(nameOf(each)) ?? -1);
  return new Set(reports.flatMap((each, index) => (isKept(each) ? [index] : [])));
}

const tellsHowFar = ({ report: { orderId, status, progress } }: ReportOfLink): boolean =>
  progress !== undefined && mayCarryProgress(status) && isId(orderId);
const nameOf = ({ link, report }: ReportOfLink) => `${link.robotId} ${link.epoch} ${report.orderId} ${report.status}`;
