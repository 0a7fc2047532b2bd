import type { Knex } from 'knex';
import { listApplied } from '../platform/db/migrations/apply.ts';
import type { Backup, ReplicaState, StoredState } from './model.ts';

/** Share of a quota from which on it is nearly used up, and the most of them that are listed. */
const nearlyUsed = 0.9;
const maxQuotas = 20;
const maxDue = 1_000;
const maxOrders = 100_000;

interface ReplicaRow {
  id: string;
  version: string | null;
  started_at: Date;
  lease_until: Date;
  ready: boolean;
  links: number | null;
  records_hints: boolean;
  url: string | null;
}

const toReplica = (row: ReplicaRow): ReplicaState => ({
  id: row.id,
  version: row.version ?? undefined,
  startedAt: row.started_at,
  leaseUntil: row.lease_until,
  ready: row.ready,
  links: row.links ?? undefined,
  recordsHints: row.records_hints,
  url: row.url ?? undefined,
});

/** Of all orgs: for the operator of the service alone. */
export function statusStore(db: Knex) {
  async function first<Row>(sql: string, bindings: Record<string, number> = {}): Promise<Row> {
    const { rows } = await db.raw<{ rows: [Row] }>(sql, bindings);
    return rows[0];
  }

  const segmentBytes = () =>
    first<{ bytes: number }>(
      `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes from pg_inherits where inhparent = 'log_segments'::regclass`,
    );

  const audit = () =>
    first<StoredState['audit']>(
      `select coalesce(greatest(floor(extract(epoch from now() - min(at))), 0), 0)::float8 as "unsealedSeconds" from audit where hash is null`,
    );

  const queues = () =>
    first<StoredState['queues']>(
      `select count(*) as "dueDeployments", coalesce(floor(extract(epoch from now() - min(due_at))), 0)::float8 as "oldestDueSeconds",
              (select count(*) from (select from open_targets limit :maxOrders) as open_ones) as "openOrders"
         from (select due_at from deployments where status = 'scheduled' and due_at <= now() order by due_at, id limit :maxDue) as due`,
      { maxOrders, maxDue },
    );

  async function quotas(): Promise<StoredState['quotas']> {
    const { rows } = await db.raw<{ rows: StoredState['quotas'] }>(
      `select o.id as "orgId", o.name as "orgName", quota, used, "limit" from org_quotas q join orgs o on o.id = q.org_id,
         lateral (values ('robots', q.used_robots, q.robots), ('artifact_bytes', q.used_artifact_bytes, q.artifact_bytes))
           as each (quota, used, "limit")
        where used > 0 and used >= "limit" * (:nearlyUsed)::float8 order by used / greatest("limit", 1)::float8 desc, o.id limit :maxQuotas`,
      { nearlyUsed, maxQuotas },
    );
    return rows;
  }

  async function lastBackup(): Promise<Backup | undefined> {
    // A later one was taken while the clock of the database was wrong.
    const row = await db<{ taken_at: Date; finished_at: Date; bytes: number; taken_by: string }>('backups')
      .whereRaw("taken_at < now() + interval '1 day'")
      .orderBy('taken_at', 'desc')
      .first();
    return row && { takenAt: row.taken_at, finishedAt: row.finished_at, bytes: row.bytes, takenBy: row.taken_by };
  }

  return {
    lastBackup,

    /** All but what other resources know. */
    async read(): Promise<
      Omit<StoredState, 'logs' | 'lateStarts' | 'erasures' | 'retention'> & { segmentBytes: number }
    > {
      const { rows: replicas } = await db.raw<{ rows: ReplicaRow[] }>(
        `select id, version, started_at, lease_until, lease_until > now() as ready, links, records_hints, url
           from replicas order by started_at, id`,
      );
      const { bytes } = await first<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
      return {
        appliedMigrations: Object.values(await listApplied(db)).flat(),
        replicas: replicas.map(toReplica),
        segmentBytes: (await segmentBytes()).bytes,
        audit: await audit(),
        queues: await queues(),
        lastBackup: await lastBackup(),
        databaseBytes: bytes,
        quotas: await quotas(),
      };
    },
  };
}
