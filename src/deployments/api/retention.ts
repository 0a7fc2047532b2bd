import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import { countRemoved } from './count-removed.ts';
import { removeSettled } from './remove-settled.ts';
import { removeUnusedPayloads, removeUnusedRevisions } from './remove-unused.ts';

/** Rows of one transaction. */
const eventsAtATime = 5_000;
const targetsAtATime = 1_000;
/** Transactions per call: maintenance runs each minute. */
const maxSteps = 200;
/** After all old deployments were looked at, they are looked at again. */
const pause = '6 hours';
/**
 * For each robot and key, the targets of the last so many different contents that it applied stay, and all newer ones: what a robot
 * has, what it returns to, and what it gets when it moves, is decided by these.
 */
const keptContents = 3;

type Walked = 'payloads' | 'config_revisions';
const nextTable = { payloads: 'config_revisions', config_revisions: null } as const;

interface Progress {
  ended_at: string | null;
  deployment_id: string | null;
  robot_id: string | null;
  walk: Walked | null; // null: the deployments, which come first
  walk_org: string | null;
  walk_key: string | null;
}

interface Old {
  org_id: string;
  id: string;
  ended_at: string; // as Postgres writes it
}

/**
 * Deletes what robots did in deployments that ended more than so many days ago: their events, and their targets and orders as
 * far as nothing newer depends on them. The deployments stay, with their counts. Then it deletes payloads and config revisions
 * that nothing names. One replica at a time does a step, and each step is one transaction that also notes how far it came.
 */
export function deploymentRetention(db: Knex, days: number) {
  /** Returns whether there is more to do now. */
  const step = (): Promise<boolean> =>
    db.transaction(async (trx) => {
      const { rows } = await trx.raw<{ rows: Progress[] }>(
        `select ended_at::text, deployment_id, robot_id, walk, walk_org, walk_key from deployment_retention
          where resume_at <= now() for update skip locked`,
      );
      const [progress] = rows;
      if (!progress) return false;
      if (progress.walk !== null) return walk(trx, progress.walk, progress, days);
      const old = await nextOld(trx, progress, days);
      if (!old) {
        await trx.raw(
          `update deployment_retention set ended_at = null, deployment_id = null, robot_id = null, walk = 'payloads'`,
        );
        return true;
      }
      if ((await removeEvents(trx, old)) === eventsAtATime) return true;
      if (!(await removeSettled(trx, { orgId: old.org_id, id: old.id }))) return true;
      const last = await removeTargets(trx, old, progress.robot_id);
      await (last === undefined
        ? trx.raw(
            `update deployment_retention set ended_at = :ended_at::timestamptz, deployment_id = :id::uuid, robot_id = null`,
            { ended_at: old.ended_at, id: old.id },
          )
        : trx.raw('update deployment_retention set robot_id = ?::uuid', [last]));
      return true;
    });

  return {
    async run(): Promise<void> {
      await db.raw('insert into deployment_retention default values on conflict do nothing');
      for (let steps = 0; steps < maxSteps && (await step()); steps += 1);
    },
  };
}

/** One step through the rows of a table; at its end follows the next table. Returns whether there is more to do now. */
async function walk(trx: Knex, table: Walked, { walk_org: orgId, walk_key: key }: Progress, days: number) {
  const place = { orgId, key };
  const next =
    table === 'payloads' ? await removeUnusedPayloads(trx, place) : await removeUnusedRevisions(trx, place, days);
  const following = next ? table : nextTable[table];
  await trx.raw(
    `update deployment_retention set walk = :following, walk_org = :orgId::uuid, walk_key = :key,
            resume_at = case when :following::text is null then now() + interval '${pause}' else resume_at end`,
    { following, orgId: next?.orgId ?? null, key: next?.key ?? null },
  );
  return following !== null;
}

interface RetentionState {
  removedRows: number; // so far
  table: 'deployments' | Walked | undefined; // that is looked through; undefined between rounds
  deploymentsUntil: Date | undefined; // the end of the last deployment that is done in this round
  nextRoundAt: Date | undefined; // undefined during a round
}

/** Undefined if it never ran. */
export async function readRetention(db: Knex): Promise<RetentionState | undefined> {
  const { rows } = await db.raw<{
    rows: { removed: number; walk: Walked | null; ended_at: Date | null; next_at: Date | null }[];
  }>(
    `select (select coalesce(sum(value::bigint), 0)::bigint from jsonb_each_text(removed)) as removed, walk, ended_at,
            case when resume_at > now() then resume_at end as next_at from deployment_retention`,
  );
  const [row] = rows;
  return (
    row && {
      removedRows: row.removed,
      table: row.next_at ? undefined : (row.walk ?? 'deployments'),
      deploymentsUntil: row.ended_at ?? undefined,
      nextRoundAt: row.next_at ?? undefined,
    }
  );
}

/** The number of rows so far, by table. */
export async function removedByRetention(db: Knex): Promise<Record<string, number>> {
  const row = await db<{ removed: Record<string, number> }>('deployment_retention').first('removed');
  return row?.removed ?? {};
}

async function nextOld(trx: Knex, { ended_at: endedAt, deployment_id: id }: Progress, days: number) {
  const { rows } = await trx.raw<{ rows: Old[] }>(
    `select org_id, id, ended_at::text from deployments
      where ended_at < now() - make_interval(days => :days)
        and (ended_at, id) > (coalesce(:endedAt::timestamptz, '-infinity'), coalesce(:id::uuid, '00000000-0000-0000-0000-000000000000'))
      order by deployments.ended_at, id limit 1`,
    { days, endedAt, id },
  );
  return rows[0];
}

/** Events of the deployment as a whole stay. Returns the number. */
async function removeEvents(trx: Knex, { org_id: orgId, id }: Old): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ removed: number }] }>(
    `with gone as (
       delete from deployment_events where ctid = any(array(
         select ctid from deployment_events where org_id = :orgId and deployment_id = :id and robot_id is not null limit ${eventsAtATime}
       )) returning 1
     ), ${countRemoved}
     select count(*) as removed from gone`,
    { orgId, id, table: 'deployment_events' },
  );
  return rows[0].removed;
}

/** Returns the last robot that was looked at; undefined if there are no more. */
async function removeTargets(trx: Knex, { org_id: orgId, id }: Old, after: string | null): Promise<string | undefined> {
  const { rows } = await trx.raw<{ rows: [{ looked: number; last: string | null; orders: string[] }] }>(
    `with page as materialized (
       select * from targets where org_id = :orgId and deployment_id = :id and (:after::uuid is null or robot_id > :after::uuid)
        order by robot_id limit ${targetsAtATime}
     ), gone as (
       delete from targets t using page p
        where t.org_id = p.org_id and t.deployment_id = p.deployment_id and t.robot_id = p.robot_id
          and t.status in ('applied', 'failed', 'rolled_back', 'cancelled')
          and (not exists (select from robots r where r.org_id = p.org_id and r.id = p.robot_id)
               or ${keptContents} <= (
                 select count(distinct d.payload_digest) from targets n join deployments d on d.org_id = n.org_id and d.id = n.deployment_id
                  where n.org_id = p.org_id and n.robot_id = p.robot_id and n.lane = p.lane and n.payload_key = p.payload_key
                    and n.rank > p.rank and n.status = 'applied' and d.rollback_at is null and d.rollback_of is null and d.retry_of is null))
       returning t.order_id
     ), ${countRemoved}
     select (select count(*) from page) as looked, (select robot_id from page order by robot_id desc limit 1) as last,
            array(select distinct order_id::text from gone where order_id is not null) as orders`,
    { orgId, id, after, table: 'targets' },
  );
  const [{ looked, last, orders }] = rows;
  await removeOrders(trx, orgId, orders);
  return looked === targetsAtATime ? (last ?? undefined) : undefined;
}

/** An order may be of several deployments. */
async function removeOrders(trx: Knex, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.raw(
    `with gone as (
       delete from orders o where org_id = :orgId and id = any(:ids::uuid[]) and ended_at is not null
          and not exists (select from targets t where t.org_id = o.org_id and t.order_id = o.id)
       returning 1
     ), ${countRemoved} select 1`,
    { orgId, ids: plainArray(ids), table: 'orders' },
  );
}
