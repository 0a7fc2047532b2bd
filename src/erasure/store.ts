import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { textArray } from '../platform/db/arrays.ts';
import { openSessions, openTargets, settlesAfter, type Erasure } from './model.ts';

interface Row {
  id: string;
  org_id: string;
  robot_id: string | null;
  created_at: Date;
  settles_at: Date;
  waits_for: string[];
  removed: Record<string, number>;
  finished_at: Date | null;
}

const columns = ['id', 'org_id', 'robot_id', 'created_at', 'settles_at', 'waits_for', 'removed', 'finished_at'];

/** `robotId`: undefined for the whole org. */
interface Subject {
  orgId: string;
  robotId: string | undefined;
}

export function erasureStore(db: Knex) {
  async function exists(sql: string, bindings: Record<string, string>): Promise<boolean> {
    const { rows } = await db.raw<{ rows: [{ found: boolean }] }>(`select exists (${sql}) as found`, bindings);
    return rows[0].found;
  }

  return {
    /** A second request for the same robot or org returns the first, until that is finished. */
    async begin({ orgId, robotId }: Subject): Promise<Erasure> {
      await db.raw(
        `insert into erasures (id, org_id, robot_id, settles_at)
         select :id, :orgId, :robotId, coalesce(greatest(
             (select max(last_seen_at) from robot_links where org_id = :orgId and (:robotId::uuid is null or robot_id = :robotId)),
             (select max(at) from audit where org_id = :orgId and object_id = :robotId::text and operation = 'deleteRobot'),
             (select suspended_at from orgs where id = :orgId and :robotId::uuid is null)
           ) + interval '${settlesAfter}', now())
         on conflict (org_id, robot_id) where finished_at is null do nothing`,
        { id: newId(), orgId, robotId: robotId ?? null },
      );
      const row = await db('erasures')
        .select<Row[]>(columns)
        .where({ org_id: orgId, robot_id: robotId ?? null, finished_at: null })
        .first();
      return fromRow(row as Row); // it was inserted, or there already
    },

    async find(id: string): Promise<Erasure | undefined> {
      const row = await db('erasures').select<Row[]>(columns).where({ id }).first();
      return row && fromRow(row);
    },

    async countUnfinished(): Promise<{ unfinished: number; oldestSince: Date | undefined }> {
      const { rows } = await db.raw<{ rows: [{ unfinished: number; oldest: Date | null }] }>(
        'select count(*) as unfinished, min(created_at) as oldest from erasures where finished_at is null',
      );
      const [{ unfinished, oldest }] = rows;
      return { unfinished, oldestSince: oldest ?? undefined };
    },

    /** Newest first. */
    async list(limit: number): Promise<Erasure[]> {
      const rows = await db('erasures')
        .select<Row[]>(columns)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit);
      return rows.map(fromRow);
    },

    /** Returns whether this call finished it. */
    async finish(id: string): Promise<Erasure | undefined> {
      const [row] = await db('erasures')
        .where({ id, finished_at: null })
        .update({ finished_at: db.fn.now(), waits_for: [] })
        .returning<Row[]>(columns);
      return row && fromRow(row);
    },

    /** Returns false if the org is erased. It is not before the transaction ends, and keeps its status. */
    async holdOrg(orgId: string): Promise<boolean> {
      return (await db('orgs').where({ id: orgId }).forShare().first('id')) !== undefined;
    },

    /** The robot may have connected since the request. Call it before its links are deleted. */
    async settleAgain(id: string, orgId: string, robotId: string): Promise<void> {
      await db.raw(
        `with link as (
           select case when replica_id is null then last_seen_at else now() end as seen_at
             from robot_links where org_id = :orgId and robot_id = :robotId for update
         )
         update erasures set settles_at = greatest(settles_at, seen_at + interval '${settlesAfter}') from link where id = :id`,
        { id, orgId, robotId },
      );
    },

    /** Returns whether the org is approved. Then late data may arrive from now on. */
    async postponeIfApproved(id: string): Promise<boolean> {
      const { rowCount } = await db.raw<{ rowCount: number }>(
        `update erasures e set settles_at = greatest(settles_at, now() + interval '${settlesAfter}')
           from orgs o where e.id = ? and o.id = e.org_id and o.status = 'approved'`,
        [id],
      );
      return rowCount > 0;
    },

    /** Whether late data of the robot or org may still arrive. */
    isSettling: (id: string): Promise<boolean> =>
      exists('select from erasures where id = :id and settles_at > now()', { id }),

    /** Whether a replica is alive. */
    isServed: (): Promise<boolean> => exists('select from replicas where lease_until > now()', {}),

    hasOpenTargets: (orgId: string, robotId: string): Promise<boolean> =>
      exists(`select from targets where ${openTargets}`, { orgId, robotId }),

    hasTargets: (orgId: string, robotId: string): Promise<boolean> =>
      exists('select from targets where org_id = :orgId and robot_id = :robotId', { orgId, robotId }),

    /** Removes what the robot reported from the targets that must stay for now. */
    async clearReports(orgId: string, robotId: string): Promise<void> {
      await db.raw(
        `update targets set message = null, progress_text = null
          where org_id = :orgId and robot_id = :robotId and (message is not null or progress_text is not null)`,
        { orgId, robotId },
      );
    },

    hasOpenSessions: (orgId: string, robotId: string): Promise<boolean> =>
      exists(`select from shell_sessions where ${openSessions}`, { orgId, robotId }),

    hasLink: (orgId: string, robotId: string | undefined): Promise<boolean> =>
      exists(
        `select from robot_links l join replicas p on p.id = l.replica_id
          where l.org_id = :orgId and (:robotId = '' or l.robot_id::text = :robotId)
            and l.disconnected_at is null and p.lease_until > now()`,
        { orgId, robotId: robotId ?? '' },
      ),

    /** No other robot names it as the one before or after it. */
    async unlink(orgId: string, robotId: string): Promise<void> {
      await db('robots').where({ org_id: orgId, replaces: robotId }).update({ replaces: null });
      await db('robots').where({ org_id: orgId, replaced_by: robotId }).update({ replaced_by: null });
    },

    /** The org that has or had this robot. */
    async findOrgOf(robotId: string): Promise<string | undefined> {
      const { rows } = await db.raw<{ rows: { id: string }[] }>(
        `select o.id from orgs o where exists (select from robots r where r.org_id = o.id and r.id = :robotId)
            or exists (select from audit a where a.org_id = o.id and a.object_kind = 'robot' and a.object_id = :robotId::text)
            or exists (select from timeline t where t.org_id = o.id and t.robot_id = :robotId) limit 1`,
        { robotId },
      );
      return rows[0]?.id;
    },

    /** Users of the org, and the people who have no other org. */
    async removePeople(orgId: string): Promise<number> {
      return db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { id: string }[] }>(
          `select person_id as id from users where org_id = :orgId and person_id is not null
           union select requested_by from orgs where id = :orgId and requested_by is not null`,
          { orgId },
        );
        await trx('orgs').where({ id: orgId }).update({ requested_by: null });
        const users = await trx('users').where({ org_id: orgId }).delete();
        await trx.raw('delete from sign_in_codes where org_ids @> array[?::uuid]', [orgId]);
        await trx.raw(
          `delete from people p where id = any(?::uuid[]) and not exists (select from users u where u.person_id = p.id)
              and not exists (select from orgs o where o.requested_by = p.id)`,
          [textArray(rows.map(({ id }) => id))],
        );
        return users;
      });
    },

    /** Returns whether it was there. */
    async removeOrg(orgId: string): Promise<boolean> {
      return db.transaction(async (trx) => {
        await trx('org_quotas').where({ org_id: orgId }).delete();
        return (await trx('orgs').where({ id: orgId }).delete()) > 0;
      });
    },

    async artifactsOf(orgId: string, limit: number): Promise<string[]> {
      return db('artifacts').where({ org_id: orgId }).orderBy('sha256').limit(limit).pluck<string[]>('sha256');
    },

    /** Artifacts that releases describe and that have no row: a crash may have left them stored. */
    async unrecordedArtifacts(orgId: string): Promise<string[]> {
      const { rows } = await db.raw<{ rows: { sha256: string }[] }>(
        `select distinct artifact_sha256 as sha256 from releases r
          where org_id = :orgId and not exists (select from artifacts a where a.org_id = :orgId and a.sha256 = r.artifact_sha256)`,
        { orgId },
      );
      return rows.map(({ sha256 }) => sha256);
    },

    async forgetArtifacts(orgId: string, sha256s: readonly string[]): Promise<number> {
      return db('artifacts').where({ org_id: orgId }).whereIn('sha256', sha256s).delete();
    },
  };
}

const fromRow = (row: Row): Erasure => ({
  id: row.id,
  orgId: row.org_id,
  robotId: row.robot_id ?? undefined,
  createdAt: row.created_at,
  settlesAt: row.settles_at,
  waitsFor: row.waits_for,
  removed: row.removed,
  finishedAt: row.finished_at ?? undefined,
});
