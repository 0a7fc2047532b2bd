import { statfs } from 'node:fs/promises';
import type { Knex } from 'knex';
import { knownMigrations } from '../platform/db/migrations/index.ts';
import { readBacklog, readRetention } from '../deployments/api/service.ts';
import { erasureService } from '../erasure/service.ts';
import { findUnmerged } from '../logs/service.ts';
import { newerMigrations, problemsOf, type LocalState, type Problem, type StoredState } from './model.ts';
import { statusStore } from './store.ts';

export type StatusService = ReturnType<typeof statusService>;

/** Of the responding process. */
export interface ProcessState {
  version: string;
  dataDir: string;
  retainsDeployments: boolean; // DEPLOYMENT_RETENTION_DAYS is set
  bus(): LocalState['bus'];
  standby(): LocalState['standby'];
}

export interface ServiceStatus extends StoredState, LocalState {
  problems: Problem[];
  newerMigrations: string[];
}

export function statusService(db: Knex, process: ProcessState) {
  return {
    async get(): Promise<ServiceStatus> {
      const { segmentBytes, ...others } = await statusStore(db).read();
      const { nowMs, oldestMs } = await findUnmerged(db);
      const oldestUnmergedSeconds = Math.max(0, Math.floor((nowMs - Math.min(nowMs, oldestMs)) / 1_000));
      const { overdue } = await readBacklog(db);
      const stored = {
        ...others,
        lateStarts: overdue['start'] ?? 0,
        erasures: await erasureService(db).countUnfinished(),
        retention: process.retainsDeployments ? await readRetention(db) : undefined,
        logs: { oldestUnmergedSeconds, unmergedBytes: segmentBytes },
      };
      const local: LocalState = {
        version: process.version,
        migrations: knownMigrations,
        bus: process.bus(),
        standby: process.standby(),
        disk: await diskOf(process.dataDir),
      };
      return {
        ...stored,
        ...local,
        problems: problemsOf(stored, local),
        newerMigrations: newerMigrations(stored.appliedMigrations, local.migrations),
      };
    },
  };
}

/** For the metric. */
export const lastBackupOf = (db: Knex) => statusStore(db).lastBackup();

/** The file system of a folder. Undefined if the folder does not exist, as with an own database and a bucket. */
export async function diskOf(folder: string): Promise<LocalState['disk']> {
  const found = await statfs(folder).catch(() => undefined);
  return found && { freeBytes: found.bavail * found.bsize, sizeBytes: found.blocks * found.bsize };
}
