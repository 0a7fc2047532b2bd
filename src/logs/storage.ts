import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { repeat } from '../kernel/repeat.ts';
import { logStatService } from '../log-stats/service.ts';
import type { ObjectStore } from '../platform/s3/object-store.ts';
import { spanMs } from './model.ts';
import { logMover } from './objects/mover.ts';
import { segmentPartitions } from './partitions.ts';
import type { logRoom } from './room.ts';
import { segmentMerging } from './segments/merging.ts';
import { findUnmerged } from './segments/unmerged.ts';
import type { StreamCache } from './segments/stream-cache.ts';

const everyMs = 5_000;
/** The size of the log tables is looked at. */
const checkEveryMs = 60_000;
/** How long merged segments stay after their partition ended, for readers that began before. */
const keepMs = 60_000;
/** Days are moved into the object store, and what is left there removed. */
const moveEveryMs = 60_000;

interface StorageSettings {
  db: Knex;
  log: Logger;
  streams: StreamCache;
  replicaId: string;
  room: Pick<ReturnType<typeof logRoom>, 'check'>;
  store: ObjectStore | undefined; // undefined: all records stay in the database
  /** So many records were damaged, and are lost. */
  onLost(records: number): void;
}

/**
 * Every few seconds: chooses the format in which records are stored, merges segments into chunks, and drops what is
 * merged. All replicas do, and share the work.
 */
export function logStorage({ db, log, streams, replicaId, room, store, onLost }: StorageSettings) {
  const ends = new AbortController();
  const merging = segmentMerging(db, { log, streams, onLost, signal: ends.signal });
  const partitions = segmentPartitions(db);
  const mover = store && logMover({ db, store, log, replicaId, signal: ends.signal });
  let isAllDue = false; // a replica of the previous release is alive
  let mergeLagSeconds: number | undefined;
  const stops: (() => Promise<void>)[] = [];

  async function tend(): Promise<void> {
    const { rows } = await db.raw<{ rows: [{ segments: boolean }] }>('select choose_log_format() as segments');
    await partitions.makeAhead();
    isAllDue = !rows[0].segments;
    try {
      await merging.run(isAllDue);
    } finally {
      await dropMerged(); // one org that cannot be merged holds up neither the others nor the metric
    }
  }

  async function dropMerged(): Promise<void> {
    const { nowMs, oldestMs } = await findUnmerged(db);
    mergeLagSeconds = oldestMs === Infinity ? 0 : Math.max(0, nowMs - oldestMs) / 1_000;
    const before = Math.min(nowMs - keepMs, oldestMs);
    await partitions.drop((await partitions.list()).filter((start) => start + spanMs <= before));
  }

  const begin = (work: () => Promise<void>, pauseMs: number, failure: string) =>
    stops.push(repeat(work, pauseMs, (error) => log.warn({ err: error }, failure)));

  return {
    /** Age of the oldest log records that are not merged; undefined until it is known. */
    get mergeLagSeconds(): number | undefined {
      return mergeLagSeconds;
    },

    start(): void {
      begin(tend, everyMs, 'log records could not be merged; retrying in 5 s');
      begin(
        () => logStatService(db).rollUp({ isAllDue, signal: ends.signal }),
        everyMs,
        'log statistics could not be added to their hours; retrying in 5 s',
      );
      begin(room.check, checkEveryMs, 'the size of the log tables is unknown; retrying in a minute');
      if (!mover) return;
      begin(mover.move, moveEveryMs, 'log records could not be moved into the object store; retrying in a minute');
      begin(mover.clean, moveEveryMs, 'log objects that are not wanted could not be removed; retrying in a minute');
    },

    async stop(): Promise<void> {
      ends.abort();
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
