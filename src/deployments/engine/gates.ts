import type { Knex } from 'knex';
import { inTransaction } from '../../platform/db/transaction.ts';
import { rolloutOf } from './holds.ts';

/** How long a robot may wait for its gates before that is an event, unless the rollout says otherwise. */
const maxWait = '1h';
/** Targets per transaction. */
const atOnce = 1_000;

/** Whether the newest progress of the robot says that it waits. `of`: name of a row of `targets`. */
export const isWaitingForGate = (of: string): string => `${of}.gate_at = ${of}.progress_at`;

/** When a wait that began at `since` is too long. `of`: name of a row of `deployments`. Postgres reads `90s`, `30m`, `2h` and `1d`. */
export const gateDueAt = (of: string, since: string): string =>
  `${since} + coalesce(${rolloutOf(of)} -> 'gates' ->> 'max_wait', '${maxWait}')::interval`;

const isOverdue = 'gate_due_at <= now()';
export const isAnyGateOverdue =
  '(select gate_due_at from targets where gate_due_at is not null order by gate_due_at limit 1) <= now()';

/**
 * Writes an event for each robot that waits for its gates for too long, one for each wait. Deployments that others hold
 * are left for the next time. Returns how many waits were looked at.
 */
export const noteOverdueGates = (db: Knex): Promise<number> =>
  inTransaction(db, async (trx) => {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `with due as materialized (
         select org_id, deployment_id, robot_id from targets where ${isOverdue} order by gate_due_at limit ${atOnce}
       ), held as materialized (
         select org_id, id, status from deployments
          where (org_id, id) in (select org_id, deployment_id from due) order by org_id, id for no key update skip locked
       ), ended as (
         update targets t set gate_due_at = null from due join held on held.org_id = due.org_id and held.id = due.deployment_id
          where t.org_id = due.org_id and t.deployment_id = due.deployment_id and t.robot_id = due.robot_id and t.gate_due_at <= now()
         returning t.org_id, t.deployment_id, t.robot_id, t.status as target_status, held.status, t.gate, coalesce(${isWaitingForGate('t')}, false) as is_waiting
       ), numbered as (
         update deployment_counts c set event_seq = c.event_seq + n.events
           from (select org_id, deployment_id, count(*)::int as events from ended where is_waiting group by org_id, deployment_id) n
          where c.org_id = n.org_id and c.deployment_id = n.deployment_id
         returning c.org_id, c.deployment_id, c.event_seq - n.events as before
       ), noted as (
         insert into deployment_events (org_id, deployment_id, seq, at, status, robot_id, target_status, reason, message)
         select e.org_id, e.deployment_id, n.before + row_number() over (partition by e.org_id, e.deployment_id order by e.robot_id),
                clock_timestamp(), e.status, e.robot_id, e.target_status, 'gate_overdue', (e.gate ->> 'holder') || ': ' || (e.gate ->> 'reason')
           from ended e join numbered n using (org_id, deployment_id) where e.is_waiting
       )
       select from ended`,
    );
    return { result: rowCount, closing: [] };
  });
