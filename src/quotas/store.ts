import type { Knex } from 'knex';
import { plainArray } from '../platform/db/arrays.ts';
import type { Quota, QuotaLimits, Quotas, StoredName } from './model.ts';

interface Row {
  org_id: string;
  robots: number | null;
  artifact_bytes: number | null;
  live_streams: number | null;
  log_bytes_per_day: number | null;
  used_robots: number;
  used_artifact_bytes: number;
  used_live_streams: number;
  used_log_bytes: number | null; // today; null: not counted
  refused_log_records: number | null;
}

/** What the org uses, counted. Robots are counted in two indexes, as a row of a robot is large. */
const countedSql = `
  (select count(*) from robots where org_id = :orgId)
    - (select count(*) from robots where org_id = :orgId and retired_at is not null) as used_robots,
  (select coalesce(sum(size), 0)::bigint from artifacts where org_id = :orgId) as used_artifact_bytes`;

/** Live streams on replicas that are alive. */
const streamsSql = (condition = 'true') => `
  (select coalesce(sum(s.streams), 0)::bigint from org_streams s join replicas r on r.id = s.replica_id
    where s.org_id = :orgId and r.lease_until > now() and ${condition})`;

/** Of today. */
const logsSql = (column: string) => `
  case when q.log_bytes_per_day is not null then coalesce(
    (select t.${column} from org_logs_today t where t.org_id = q.org_id and t.day between utc_today() and utc_today() + 1), 0
  ) end`;

export function quotaStore(db: Knex) {
  /** For a new row of the org. */
  async function countOnce(orgId: string): Promise<void> {
    await db.raw("set local lock_timeout = '9s'"); // robots enroll all the time: the default is 2 s
    await db('orgs').select('id').where({ id: orgId }).forUpdate();
    // Triggers of transactions that ended meanwhile did not see the new row; the next statement sees what they did.
    await db.raw(
      `update org_quotas q set used_robots = c.used_robots, used_artifact_bytes = c.used_artifact_bytes
         from (select ${countedSql}) c where q.org_id = :orgId`,
      { orgId },
    );
  }

  return {
    /** Of an org without a row, robots and artifacts are counted. */
    async get(orgId: string): Promise<Quotas> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select q.*, ${streamsSql()} as used_live_streams,
                ${logsSql('bytes')} as used_log_bytes, ${logsSql('refused_records')} as refused_log_records
           from org_quotas q where q.org_id = :orgId`,
        { orgId },
      );
      if (rows[0]) return fromRow(rows[0]);
      const counted = await db.raw<{ rows: [Pick<Row, 'used_robots' | 'used_artifact_bytes' | 'used_live_streams'>] }>(
        `select ${countedSql}, ${streamsSql()} as used_live_streams`,
        { orgId },
      );
      return fromRow({ ...noLimits, ...counted.rows[0] });
    },

    /** The quota, if the org has this one. The row of the org is not locked. */
    async find(orgId: string, name: StoredName): Promise<(Quota & { limit: number }) | undefined> {
      const row = await db<Row>('org_quotas').where({ org_id: orgId }).first();
      const limit = row?.[name] ?? undefined;
      return row && limit !== undefined ? { limit, used: row[`used_${name}`] } : undefined;
    },

    /**
     * Locks the quotas of the org until the transaction ends. An org gets its row here. What it uses is counted once,
     * under a lock of the org that nothing new passes.
     */
    async lock(orgId: string): Promise<void> {
      for (let isHeld = false; !isHeld;) {
        const { rows: added } = await db.raw<{ rows: unknown[] }>(
          'insert into org_quotas (org_id) values (?) on conflict do nothing returning org_id',
          [orgId],
        );
        if (added.length > 0) await countOnce(orgId);
        // Another transaction may have removed the row since the insert found it.
        isHeld = (await db('org_quotas').select('org_id').where({ org_id: orgId }).forUpdate()).length > 0;
      }
    },

    /**
     * Sets all limits; those left out are none. Needs the lock. Without any limit the row goes: then robots that enroll do not wait
     * for each other.
     */
    async setLimits(orgId: string, limits: QuotaLimits): Promise<void> {
      const row = db('org_quotas').where({ org_id: orgId });
      if (Object.values(limits).every((limit) => limit === undefined)) {
        await row.delete();
        return;
      }
      await row.update({
        robots: limits.robots ?? null,
        artifact_bytes: limits.artifact_bytes ?? null,
        live_streams: limits.live_streams ?? null,
        log_bytes_per_day: limits.log_bytes_per_day ?? null,
      });
    },

    /** The quota of live streams with those on other replicas; undefined if the org has none. */
    async findStreams(orgId: string, replicaId: string): Promise<{ limit: number; elsewhere: number } | undefined> {
      const { rows } = await db.raw<{ rows: { limit: number; elsewhere: number }[] }>(
        `select q.live_streams as limit, ${streamsSql('s.replica_id <> :replicaId')} as elsewhere
           from org_quotas q where q.org_id = :orgId and q.live_streams is not null`,
        { orgId, replicaId },
      );
      return rows[0];
    },

    /** Stores the numbers of live streams on a replica. */
    async setStreams(replicaId: string, counts: readonly { orgId: string; streams: number }[]): Promise<void> {
      await db.raw(
        `insert into org_streams (org_id, replica_id, streams)
         select org_id, ?, streams from unnest(?::uuid[], ?::int[]) as c (org_id, streams) order by org_id
         on conflict (org_id, replica_id) do update set streams = excluded.streams`,
        [replicaId, plainArray(counts.map(({ orgId }) => orgId)), plainArray(counts.map(({ streams }) => streams))],
      );
    },

    /** Of this replica, and of those that crashed. */
    async forgetStreams(replicaId: string): Promise<void> {
      await db('org_streams')
        .where({ replica_id: replicaId })
        .orWhereRaw('not exists (select from replicas r where r.id = replica_id)')
        .delete();
    },
  };
}

const noLimits = {
  robots: null,
  artifact_bytes: null,
  live_streams: null,
  log_bytes_per_day: null,
  used_log_bytes: null,
  refused_log_records: null,
};

const fromRow = (row: Omit<Row, 'org_id'>): Quotas => ({
  robots: { limit: row.robots ?? undefined, used: row.used_robots },
  artifact_bytes: { limit: row.artifact_bytes ?? undefined, used: row.used_artifact_bytes },
  live_streams: { limit: row.live_streams ?? undefined, used: row.used_live_streams },
  log_bytes_per_day: {
    limit: row.log_bytes_per_day ?? undefined,
    used: row.used_log_bytes ?? undefined,
    refusedRecords: row.refused_log_records ?? undefined,
  },
});
