import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createRedactionEngine } from './log-redactions/service.ts';
import { createLogIngest, logFollows, logRoom, logStorage, openLogObjects, streamCache } from './logs/service.ts';
import type { Bus } from './platform/bus/bus.ts';
import type { Metrics } from './platform/metrics.ts';
import type { ObjectStore } from './platform/s3/object-store.ts';

interface LogStoreParts {
  config: Config;
  db: Knex;
  bus: Bus;
  log: Logger;
  replicaId: string;
  objectStore: ObjectStore | undefined;
  redactionThread: string;
  metrics: () => Metrics; // they count the state of this store, so they are built after it
}

/** Builds the log store: its redaction, ingest, reading, and the work that merges, moves and deletes. */
export async function openLogStore({
  config,
  db,
  bus,
  log,
  replicaId,
  objectStore,
  redactionThread,
  metrics,
}: LogStoreParts) {
  const follows = logFollows({ db, bus, log });
  const redaction = createRedactionEngine({
    db,
    bus,
    log,
    threadFile: redactionThread,
    onWithheld: (records) => metrics().logRecordsWithheld(records),
  });
  const room = logRoom({ db, log, limitBytes: config.logDatabaseBytes, hasObjectStore: objectStore !== undefined });
  const ingest = createLogIngest({
    db,
    log,
    follows,
    redaction,
    hasRoom: () => !room.isFull,
    onRedacted: (records) => metrics().logRecordsRedacted(records),
    onSkipped: (records) => metrics().logRecordsSkipped(records),
    onOverQuota: (records) => metrics().quotaRefused('log_bytes_per_day', records),
  });
  const readersAtOnce = Math.ceil(config.databasePool / 2);
  const objects = await openLogObjects(db, { store: objectStore, log, readersAtOnce });
  const streams = streamCache();
  const storage = logStorage({
    db,
    log,
    streams,
    replicaId,
    room,
    store: objectStore,
    onLost: (records) => metrics().logRecordsLost(records),
  });
  return {
    follows,
    redaction,
    ingest,
    reading: { objects, streams },
    state: () => ({ isFull: room.isFull, tableBytes: room.tableBytes, mergeLagSeconds: storage.mergeLagSeconds }),
    start: storage.start,
    async stop(): Promise<void> {
      await storage.stop();
      await redaction.stop();
    },
  };
}
