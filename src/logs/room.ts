import type { Knex } from 'knex';
import type { Logger } from 'pino';

/** How late merging may be, and how long nothing may have been moved of a day that is due, while the tables grow. */
const mergedWithin = '15 minutes';
const movedWithin = '1 hour';

interface RoomSettings {
  db: Knex;
  log: Logger;
  limitBytes: number; // of the tables of log records
  hasObjectStore: boolean;
}

/**
 * Whether the database has room for more log records. It has none while its tables of them exceed the limit, because merging
 * or moving them into the object store stands still. Robots keep their records then, and send them later. Without this, logs
 * would fill the disk that everything else needs.
 */
export function logRoom({ db, log, limitBytes, hasObjectStore }: RoomSettings) {
  let isFull = false;
  let sizes: Record<string, number> = {};

  return {
    /** Bytes of the tables; empty until they are known. */
    get tableBytes(): Record<string, number> {
      return sizes;
    },

    get isFull(): boolean {
      return isFull;
    },

    /** Looks again; for now and then. */
    async check(): Promise<void> {
      const [segments, chunks] = [await sizeOf('log_segments'), await sizeOf('log_chunks')];
      sizes = { log_segments: segments, log_chunks: chunks };
      const wasFull = isFull;
      isFull =
        (segments > limitBytes && (await isMergingLate())) ||
        (hasObjectStore && segments + chunks > limitBytes && (await isMovingLate()));
      const found = { segments, chunks, limitBytes };
      if (isFull && !wasFull)
        log.error(found, 'log records are not stored: their tables exceed LOG_DATABASE_GB, and do not shrink');
      if (!isFull && wasFull) log.info(found, 'log records are stored again');
    },
  };

  async function sizeOf(table: string): Promise<number> {
    const { rows } = await db.raw<{ rows: [{ bytes: number }] }>(
      `select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::float8 as bytes from pg_inherits
        where inhparent = ?::regclass`,
      [table],
    );
    return rows[0].bytes;
  }

  function isMergingLate(): Promise<boolean> {
    return isTrue(`exists (
      select from log_orgs o cross join lateral (
        select s.received_at from log_segments s where s.org_id = o.org_id and s.id > o.merged_id order by s.id limit 1
      ) s
       where s.received_at < now() - interval '${mergedWithin}'
    )`);
  }

  /** A day is due a day after it ended. */
  function isMovingLate(): Promise<boolean> {
    return isTrue(`exists (
      select from log_chunks
       where received_at < date_trunc('day', now() - interval '${movedWithin}', 'UTC') - interval '1 day'
    ) and not exists (
      select from log_objects where state in ('written', 'stored') and changed_at > now() - interval '${movedWithin}'
    )`);
  }

  async function isTrue(condition: string): Promise<boolean> {
    const { rows } = await db.raw<{ rows: [{ is_true: boolean }] }>(`select ${condition} as is_true`);
    return rows[0].is_true;
  }
}
