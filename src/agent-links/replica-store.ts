import type { Knex } from 'knex';
import type { DatabaseClock } from '../platform/db/clock.ts';
import { latestMark } from '../platform/db/latest-mark.ts';
import { countEntriesSql } from './timeline-throttle.ts';
import type { EarlierReplica, LinkKey, LinkPlace, OwnFacts, Replica } from './model.ts';

/** Links of dead replicas ended per statement. */
const sweepBatch = 1_000;
/** A lease that ends later is of a clock of the database that was set back since. Its replica, if it is alive, renews it. */
const latestLease = "now() + interval '1 day'";
/** Agents reconnect within 3 s of a planned drain. */
const returnSeconds = 4;

interface PlaceRow {
  replica_id: string;
  url: string | null;
  opens_shells: boolean;
  cameras: string[];
  has_topics: boolean;
}

interface ReplicaRow {
  id: string;
  url: string | null;
  artifacts_folder: string | null;
  links: number | null;
  lease_until: Date;
  is_dead: boolean;
  now_ms: number;
}

const toReplica = (row: ReplicaRow): Replica => ({
  id: row.id,
  url: row.url ?? undefined,
  artifactsFolder: row.artifacts_folder ?? undefined,
  links: row.links ?? undefined,
  leaseUntil: row.lease_until,
  isDead: row.is_dead,
});

/** Which replicas are alive, their URLs and links, and the cleanup after dead ones. `clock`: observed at each renewal. */
export function replicaStore(db: Knex, replicaId: string, clock: DatabaseClock) {
  return {
    /**
     * Renews this replica's lease, and publishes its facts. `lapsed`: the lease had expired, so others may have ended
     * its links.
     */
    async renewLease(leaseMs: number, facts: OwnFacts): Promise<{ lapsed: boolean; others: Replica[] }> {
      const sentMs = performance.now();
      const { rows } = await db.raw<{ rows: ReplicaRow[] }>(
        `with renewed as (
           insert into replicas (id, url, artifacts_folder, links, stores_segments, records_hints, reads_log_objects, version, secret_marks, lease_until)
           values (:replicaId, :url, :folder, :links, true, true, :readsLogObjects, :version, :secretMarks, now() + make_interval(secs => :leaseMs / 1000.0))
           on conflict (id) do update set lease_until = excluded.lease_until, links = excluded.links
         )
         select id, url, artifacts_folder, links, lease_until, lease_until not between now() and ${latestLease} as is_dead,
                extract(epoch from clock_timestamp())::float8 * 1000 as now_ms from replicas`,
        {
          replicaId,
          leaseMs,
          url: facts.url ?? null,
          folder: facts.artifactsFolder ?? null,
          links: facts.links ?? null,
          readsLogObjects: facts.readsLogObjects,
          version: facts.version,
          secretMarks: facts.secretMarks ? [...facts.secretMarks] : null,
        },
      );
      if (rows[0]) clock.observe(rows[0].now_ms, sentMs);
      const own = rows.find(({ id }) => id === replicaId);
      return { lapsed: own === undefined || own.is_dead, others: rows.filter((row) => row !== own).map(toReplica) };
    },

    /** Live replicas that started before this one. */
    async findEarlier(): Promise<EarlierReplica[]> {
      const { rows } = await db.raw<{ rows: { artifacts_folder: string | null; secret_marks: string[] | null }[] }>(
        `select p.artifacts_folder, p.secret_marks from replicas p, replicas own
          where own.id = ? and p.lease_until > now() and (p.started_at, p.id) < (own.started_at, own.id)`,
        [replicaId],
      );
      return rows.map((row) => ({
        artifactsFolder: row.artifacts_folder ?? undefined,
        secretMarks: row.secret_marks ?? undefined,
      }));
    },

    /** The place of a robot's link; undefined if the robot is offline. */
    async findPlace(orgId: string, robotId: string): Promise<LinkPlace | undefined> {
      const { rows } = await db.raw<{ rows: PlaceRow[] }>(
        `select l.replica_id, p.url, l.opens_shells, l.cameras, l.has_topics from robot_links l join replicas p on p.id = l.replica_id
          where l.org_id = ? and l.robot_id = ? and p.lease_until > now()`,
        [orgId, robotId],
      );
      const [row] = rows;
      return (
        row && {
          replicaId: row.replica_id,
          url: row.url ?? undefined,
          opensShells: row.opens_shells,
          cameras: row.cameras,
          hasTopics: row.has_topics,
        }
      );
    },

    /**
     * Whether a replica asked a robot's agent to reconnect so recently that it may still be connecting to another one.
     */
    async isReturning(orgId: string, robotId: string): Promise<boolean> {
      const { rows } = await db.raw<{ rows: { returning: boolean }[] }>(
        `select exists (
           select from (
             select kind, details, at from timeline_unnumbered where org_id = :orgId and robot_id = :robotId
             union all
             (select kind, details, at from timeline where org_id = :orgId and robot_id = :robotId order by seq desc limit 10)
           ) newest
            where kind = 'disconnected' and details ->> 'reason' in ('service_stopped', 'rebalanced')
              and at between now() - make_interval(secs => :returnSeconds) and now()
         ) as returning`,
        { orgId, robotId, returnSeconds },
      );
      return rows[0]?.returning === true;
    },

    /** URLs of the live replicas; null for a replica without one. */
    async findUrls(): Promise<Map<string, string | null>> {
      const { rows } = await db.raw<{ rows: { id: string; url: string | null }[] }>(
        'select id, url from replicas where lease_until > now()',
      );
      return new Map(rows.map(({ id, url }) => [id, url]));
    },

    /**
     * Up to 1,000 links that this replica has in the database, without a sign of life for a minute. A join that is in
     * progress is younger.
     */
    async findSilent(): Promise<LinkKey[]> {
      const { rows } = await db.raw<{ rows: { org_id: string; robot_id: string; epoch: number }[] }>(
        `select org_id, robot_id, epoch from robot_links
          where replica_id = ? and last_seen_at not between now() - interval '1 minute' and ${latestMark} limit 1000`,
        [replicaId],
      );
      return rows.map((row) => ({ orgId: row.org_id, robotId: row.robot_id, epoch: row.epoch }));
    },

    /**
     * Ends the links that dead replicas left, and deletes dead replicas without links. A lease that ends too late is
     * shortened first. Any replica may run it. Returns how many it ended.
     */
    async sweep(deadReplicas: string[], leaseMs: number): Promise<number> {
      await db.raw(
        `update replicas set lease_until = now() + make_interval(secs => ? / 1000.0)
          where id = any(?::uuid[]) and lease_until > ${latestLease}`,
        [leaseMs, deadReplicas],
      );
      let ended = 0;
      for (let batch = sweepBatch; batch === sweepBatch; ended += batch) {
        const { rowCount } = await db.raw<{ rowCount: number }>(
          `with dead as (
             select l.org_id, l.robot_id, l.connected_at, p.lease_until
               from robot_links l join replicas p on p.id = l.replica_id
              where l.replica_id = any(:deadReplicas::uuid[]) and p.lease_until < now()
              limit :sweepBatch for update of l skip locked
           ), ended as (
             update robot_links l set epoch = l.epoch + 1, replica_id = null, disconnected_at = now(),
                    last_seen_at = least(l.last_seen_at, now()), ${countEntriesSql('1')} from dead
              where l.org_id = dead.org_id and l.robot_id = dead.robot_id
             returning l.org_id, l.robot_id, floor(extract(epoch from dead.lease_until - dead.connected_at)) as seconds, l.left_out
           ), noted as (
             insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
             select org_id, robot_id, gen_random_uuid(), 'disconnected',
                    jsonb_build_object('reason', 'service_lost', 'seconds', greatest(seconds, 0))
               from ended where left_out = 0
           )
           select from ended`,
          { deadReplicas, sweepBatch },
        );
        batch = rowCount;
      }
      await db.raw(
        `delete from replicas p where id = any(?::uuid[]) and lease_until < now() - interval '1 minute'
            and not exists (select from robot_links l where l.replica_id = p.id)`,
        [deadReplicas],
      );
      return ended;
    },

    /** Signs this replica off. While it has links, its row stays until the lease has expired. */
    async leave(): Promise<void> {
      await db.raw(
        'delete from replicas p where id = ? and not exists (select from robot_links l where l.replica_id = p.id)',
        [replicaId],
      );
    },
  };
}
