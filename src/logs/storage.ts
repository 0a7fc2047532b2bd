import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { repeat } from '../kernel/repeat.ts';
import { spanMs } from './model.ts';
import { segmentPartitions } from './partitions.ts';
import { segmentMerging } from './segments/merging.ts';

const everyMs = 5_000;
/** How long merged segments stay after their partition ended, for readers that began before. */
const keepMs = 60_000;

interface StorageSettings {
  db: Knex;
  log: Logger;
  /** So many records were damaged, and are lost. */
  onLost(records: number): void;
}

/**
 * Every few seconds: chooses the format in which records are stored, merges segments into chunks, and drops what is
 * merged. All replicas do, and share the work.
 */
export function logStorage({ db, log, onLost }: StorageSettings) {
  const ends = new AbortController();
  const merging = segmentMerging(db, { log, onLost, signal: ends.signal });
  const partitions = segmentPartitions(db);
  let stop = () => {};
  let running = Promise.resolve();

  async function tend(): Promise<void> {
    const { rows } = await db.raw<{ rows: [{ segments: boolean }] }>('select choose_log_format() as segments');
    await partitions.makeAhead();
    await merging.run(!rows[0].segments);
    await dropMerged();
  }

  async function dropMerged(): Promise<void> {
    const { rows } = await db.raw<{ rows: [{ now: Date; left: Date | null }] }>(
      `select clock_timestamp() as now, (
         select min(s.received_at) from log_segments s
          where s.id > coalesce((select merged_id from log_orgs o where o.org_id = s.org_id), 0)
       ) as left`,
    );
    const [{ now, left }] = rows;
    const before = Math.min(now.getTime() - keepMs, left?.getTime() ?? Infinity);
    await partitions.drop((await partitions.list()).filter((start) => start + spanMs <= before));
  }

  return {
    start(): void {
      stop = repeat(
        () => (running = tend()),
        everyMs,
        (error) => {
          if (!ends.signal.aborted) log.warn({ err: error }, 'log records could not be merged; retrying in 5 s');
        },
      );
    },

    async stop(): Promise<void> {
      stop();
      ends.abort();
      await running.catch(() => undefined);
    },
  };
}
