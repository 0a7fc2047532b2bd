import type { Knex } from 'knex';
import { isPinned, isPinnedBack } from '../robot-holds.ts';

/** Robots of one statement: all of a large fleet would take longer than the statement timeout. */
const robotsPerRange = 10_000;

/** The bindings of `returningRobots`: robots with IDs above `after`, up to `until`. */
interface RobotRange {
  orgId: string;
  deploymentId: string;
  after: string;
  until: string;
  /** Something else that robots may have got before was rolled back. */
  someRolledBack: boolean;
}

/** Divides the robots that received a deployment, or one that it caused, into ranges of about 10,000. */
export async function* returningRanges(
  db: Knex,
  key: { orgId: string; deploymentId: string },
): AsyncGenerator<RobotRange & Record<string, unknown>> {
  const someRolledBack = await isSomeRolledBack(db, key);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await db.raw<{ rows: { robot_id: string }[] }>(
      `select robot_id from targets where org_id = :orgId and deployment_id = :deploymentId and robot_id > :after
        order by robot_id offset ${robotsPerRange - 1} limit 1`,
      { ...key, after },
    );
    const last = rows[0]?.robot_id;
    yield { ...key, someRolledBack, after, until: last ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
    if (last === undefined) return;
    after = last;
  }
}

/** Whether something else of the lane and key was rolled back: else nothing is looked up for each robot. */
async function isSomeRolledBack(db: Knex, key: { orgId: string; deploymentId: string }): Promise<boolean> {
  const { rows } = await db.raw<{ rows: [{ is_some: boolean }] }>(
    `select exists (
       select from deployments own
         join deployments x on x.org_id = own.org_id and x.lane = own.lane and x.payload_key = own.payload_key and x.rank is not null
         left join deployments cause on cause.org_id = x.org_id and cause.id = x.cause_id
        where own.org_id = :orgId and own.id = :deploymentId and x.payload_digest <> own.payload_digest
          and (x.rollback_at is not null or cause.rollback_at is not null)) as is_some`,
    key,
  );
  return rows[0].is_some;
}

/**
 * SQL of the robots of a range that applied a deployment, or one that it caused, and for which its rollback has not decided
 * yet: `robot_id, wave, source_id, code, may_return`, with the bindings of `RobotRange`. `source_id`: what the robot applied
 * last before, unless that was rolled back since, in whichever of its deployments. `code`: why it keeps the deployment. `may_return`: it is
 * to receive something newer, and returns if it never does. It needs `lookUpByKey`. `offset 0` keeps the order of the joins: without
 * statistics, as in a new database, Postgres looked at all pairs of deployments for each target.
 */
export const returningRobots = `
  select distinct on (t.robot_id) t.robot_id, case when d.id = own.id then t.wave else coalesce(own.last_wave, 1) end as wave, e.source_id,
         coalesce(newest.is_open and newest.payload_digest <> own.payload_digest and r.id is not null, false) as may_return,
         case when r.id is null then 'robot_removed'
              when newest.payload_digest <> own.payload_digest then 'superseded'
              when e.source_id is null then 'nothing_earlier'
              when exists (select from configs c where c.org_id = own.org_id and c.id = own.config_id and c.deleted_revision = c.revision) then 'config_deleted'
              when ${isPinned('e', 't.robot_id')} then 'pinned'
              when l.signed_only and not exists (select from rollback_signatures s
                 where s.org_id = own.org_id and s.deployment_id = own.id and s.payload_digest = e.payload_digest) then 'signature_required' end as code
    from (select * from deployments where org_id = :orgId and id = :deploymentId offset 0) own
    join lateral (select id from deployments d where d.org_id = own.org_id and (d.id = own.id or d.cause_id = own.id) offset 0) d on true
    join lateral (
      select * from targets t where t.org_id = own.org_id and t.deployment_id = d.id and t.status = 'applied' and t.robot_id > :after and t.robot_id <= :until
      offset 0) t on true
    left join lateral (select id from robots r where r.org_id = t.org_id and r.id = t.robot_id and r.retired_at is null offset 0) r on true
    left join lateral (select signed_only from robot_links l where l.org_id = t.org_id and l.robot_id = t.robot_id offset 0) l on true
    left join lateral (
      select s.id as source_id, s.payload_digest, s.org_id, s.release_id from targets o
        join lateral (select * from deployments s where s.org_id = o.org_id and s.id = o.deployment_id offset 0) s on true
       where o.org_id = t.org_id and o.robot_id = t.robot_id and o.lane = t.lane and o.payload_key = t.payload_key and o.rank < t.rank
         and o.status = 'applied' and s.payload_digest <> own.payload_digest
         and not (:someRolledBack::boolean and exists (
           select from targets b
             join lateral (select * from deployments x where x.org_id = b.org_id and x.id = b.deployment_id offset 0) x on true
             left join lateral (select rollback_at from deployments c where c.org_id = x.org_id and c.id = x.cause_id offset 0) cause on true
            where b.org_id = t.org_id and b.robot_id = t.robot_id and b.lane = t.lane and b.payload_key = t.payload_key
              and x.payload_digest = s.payload_digest and greatest(x.rollback_at, cause.rollback_at) >= s.started_at))
       order by o.rank desc limit 1) e on true
    left join lateral (
      select m.payload_digest, n.deadline_at is not null as is_open from targets n
        join lateral (select payload_digest from deployments m where m.org_id = n.org_id and m.id = n.deployment_id offset 0) m on true
       where n.org_id = t.org_id and n.robot_id = t.robot_id and n.lane = t.lane and n.payload_key = t.payload_key and n.rank > t.rank
         and n.status not in ('failed', 'rolled_back', 'cancelled') and not ${isPinnedBack('n', 'e.release_id')}
       order by n.rank desc limit 1) newest on true -- that it has, or is to have
   where not exists (select from rollback_robots b where b.org_id = own.org_id and b.deployment_id = own.id and b.robot_id = t.robot_id offset 0)
   order by t.robot_id, t.rank desc`;

/**
 * SQL of the robots `b` of a rollback that received, or are to receive, something newer before it began. Needs `orgId` and
 * `deploymentId`.
 */
export const overtaken = `
  select b.robot_id from rollback_robots b join deployments o on o.org_id = b.org_id and o.id = b.deployment_id
    join deployments own on own.org_id = b.org_id and own.id = b.rollback_id
   where b.org_id = :orgId and b.rollback_id = :deploymentId
     and (select m.payload_digest from targets n join deployments m on m.org_id = n.org_id and m.id = n.deployment_id
           where n.org_id = b.org_id and n.robot_id = b.robot_id and n.lane = o.lane and n.payload_key = o.payload_key
             and n.status not in ('failed', 'rolled_back', 'cancelled') and not ${isPinnedBack('n', 'own.release_id')}
           order by n.rank desc limit 1) <> o.payload_digest`;
