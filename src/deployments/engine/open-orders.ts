import type { Knex } from 'knex';
import { limits } from '../../../generated/protocol.js';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import type { OpenOrder, OrderPort, OrderTerms, RobotKey } from './order-port.ts';
import { isOnOrder, openTargetsOf } from './open-targets.ts';
import { lacksCapability, mayDispatchTo } from './holds.ts';
import { isReplaced } from './robot-holds.ts';

/** How long a sent order may stay silent. */
const silenceSeconds = 60;
/** How long a robot is still notified after the service itself ended its order. */
const tellEndMinutes = 5;

interface OrderRow {
  org_id: string;
  robot_id: string;
  id: string;
  lane: string;
  sequence: number;
  payload_digest: string;
  is_cancelled: boolean;
  signature: string | null;
  key_id: string | null;
  terms: OrderTerms | null;
  deployments: string[];
  artifact_base_url: string | null;
  traceparent: string | null;
}

const traceSql = `(select d.traceparent from deployments d
  where d.org_id = o.org_id and d.id = any(o.deployment_ids) and d.traceparent is not null order by d.id limit 1)`;

/** Order queries for delivery. `isTraced`: orders carry the trace contexts of their deployments. */
export function openOrderReader(
  db: Knex,
  isTraced = false,
): Pick<OrderPort, 'openOrders' | 'concerned' | 'pending' | 'overdue'> {
  const keysOf = (rows: readonly { org_id: string; robot_id: string }[]): RobotKey[] =>
    rows.map((row) => ({ orgId: row.org_id, robotId: row.robot_id }));

  /** Payloads that are sent on the link, by org and digest; each is read once, however many robots get it. */
  async function readPayloads(orders: readonly OrderRow[]): Promise<Map<string, string>> {
    const names = new Map(orders.map((row) => [`${row.org_id} ${row.payload_digest}`, row]));
    const { rows } = await db.raw<{ rows: { org_id: string; digest: string; body: string }[] }>(
      `select p.org_id, p.digest, p.body from unnest(?::uuid[], ?::text[]) as k (org_id, digest) join payloads p using (org_id, digest)
        where octet_length(p.body) <= ?`,
      [
        plainArray([...names.values()].map((row) => row.org_id)),
        nullableArray([...names.values()].map((row) => row.payload_digest)),
        limits.maxPayloadInlineBytes,
      ],
    );
    return new Map(rows.map((row) => [`${row.org_id} ${row.digest}`, row.body]));
  }

  return {
    async openOrders(robots) {
      const { rows } = await db.raw<{ rows: OrderRow[] }>(
        `select o.org_id, o.robot_id, o.id, o.lane, o.sequence, o.payload_digest, o.is_cancelled, o.signature, o.key_id, o.terms,
                array(select t.deployment_id::text from targets t where ${isOnOrder('t', 'o')} order by 1) as deployments,
                case when o.lane like 'release:%' then
                  (select s.artifact_base_url from robots r join sites s on s.org_id = r.org_id and s.id = r.site_id
                    where r.org_id = o.org_id and r.id = o.robot_id) end as artifact_base_url,
                ${isTraced ? traceSql : 'null'} as traceparent
           from unnest(?::uuid[], ?::uuid[]) as r (org_id, robot_id) join orders o using (org_id, robot_id)
          where o.ended_at is null order by o.sequence`,
        [plainArray(robots.map(({ orgId }) => orgId)), plainArray(robots.map(({ robotId }) => robotId))],
      );
      const payloads = rows.length === 0 ? new Map<string, string>() : await readPayloads(rows);
      const byRobot = new Map<string, OpenOrder[]>();
      for (const row of rows) {
        const orders = byRobot.get(row.robot_id) ?? [];
        byRobot.set(row.robot_id, orders);
        if (orders.length < limits.maxOrders)
          orders.push(toOrder(row, payloads.get(`${row.org_id} ${row.payload_digest}`)));
      }
      return byRobot;
    },

    async concerned(replicaId, { orgId, deploymentId }) {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        // Each target looks up its link by itself. A deployment that just started has no statistics yet, and Postgres
        // expects one target. Its plan would compare thousands of them with every link. All targets are read only if some ended so.
        `with busy as materialized (
           select org_id, robot_id from open_targets where org_id = :orgId and deployment_id = :deploymentId
           union all
           select t.org_id, t.robot_id from deployment_counts c cross join lateral (
             select org_id, robot_id from targets
              where org_id = :orgId and deployment_id = :deploymentId
                and reason in ('timed_out', 'expired', 'forced') and updated_at > now() - make_interval(mins => :tellEndMinutes) offset 0) t
            where c.org_id = :orgId and c.deployment_id = :deploymentId and c.failed + c.cancelled > 0
         )
         select org_id, robot_id from busy
          where exists (select from robot_links l
                         where l.org_id = busy.org_id and l.robot_id = busy.robot_id and l.replica_id = :replicaId and l.takes_orders offset 0)`,
        { orgId, deploymentId, tellEndMinutes, replicaId },
      );
      return keysOf(rows);
    },

    async pending(replicaId) {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        `select l.org_id, l.robot_id from robot_links l
          where l.replica_id = ? and l.takes_orders
            and (exists (select from ${openTargetsOf({ orgId: 'l.org_id', robotId: 'l.robot_id' })} t where t.status = 'waiting')
                 or exists (select from orders o where o.org_id = l.org_id and o.robot_id = l.robot_id and o.ended_at is null offset 0))`,
        [replicaId],
      );
      return keysOf(rows);
    },

    async overdue(replicaId) {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string }[] }>(
        `with silent as materialized (
           select o.org_id, o.id from robot_links l join orders o using (org_id, robot_id)
            where l.replica_id = :replicaId and l.takes_orders and o.ended_at is null
              and greatest(o.sent_at, o.touched_at) < now() - make_interval(secs => :silenceSeconds)
            order by o.org_id, o.id for no key update of o skip locked
         ), sent as (
           update orders o set sent_at = now() from silent where o.org_id = silent.org_id and o.id = silent.id
           returning o.org_id, o.robot_id
         ), linked as materialized (
           select org_id, robot_id, keeps_windows, asks_gates from robot_links where replica_id = :replicaId and takes_orders
         ), left_behind as (
           select t.org_id, t.robot_id
             from linked l cross join lateral ${openTargetsOf({ orgId: 'l.org_id', robotId: 'l.robot_id' })} t
             join deployments d on d.org_id = t.org_id and d.id = t.deployment_id and ${mayDispatchTo('d', 't')}
            where t.status = 'waiting' and not ${lacksCapability('d', 'l')}
              and not ${isReplaced('t')}
              and not exists (select from orders o where o.org_id = t.org_id and o.robot_id = t.robot_id and o.lane = t.lane
                                 and o.ended_at is null)
         )
         select org_id, robot_id from sent union select org_id, robot_id from left_behind`,
        { replicaId, silenceSeconds },
      );
      return keysOf(rows);
    },
  };
}

const toOrder = (row: OrderRow, payload: string | undefined): OpenOrder => ({
  orderId: row.id,
  lane: row.lane,
  sequence: row.sequence,
  deployments: row.deployments,
  digest: row.payload_digest,
  payload,
  cancel: row.is_cancelled,
  signature: row.signature ?? undefined,
  keyId: row.key_id ?? undefined,
  terms: {
    ...row.terms,
    ...(row.artifact_base_url !== null && { artifact_base_url: row.artifact_base_url }),
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  },
});
