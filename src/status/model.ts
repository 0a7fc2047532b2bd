/** A replica, by its row. */
export interface ReplicaState {
  id: string;
  version: string | undefined; // undefined for one of an earlier release
  startedAt: Date;
  leaseUntil: Date;
  ready: boolean; // its lease is valid
  links: number | undefined;
  recordsHints: boolean;
  url: string | undefined;
}

export interface Backup {
  takenAt: Date; // of its snapshot
  finishedAt: Date;
  bytes: number;
  takenBy: string;
}

/** A quota that is nearly used up. */
interface FullQuota {
  orgId: string;
  orgName: string;
  quota: 'robots' | 'artifact_bytes';
  used: number;
  limit: number;
}

/** Of deployments. */
interface Retention {
  removedRows: number;
  table: 'deployments' | 'payloads' | 'config_revisions' | undefined; // that is looked through; undefined between rounds
  deploymentsUntil: Date | undefined;
  nextRoundAt: Date | undefined;
}

/** What the database says, for all replicas. */
export interface StoredState {
  appliedMigrations: readonly string[];
  replicas: readonly ReplicaState[];
  logs: { oldestUnmergedSeconds: number; unmergedBytes: number };
  audit: { unsealedSeconds: number };
  queues: { dueDeployments: number; oldestDueSeconds: number; openOrders: number };
  lateStarts: number; // deployments that should have started a minute ago; none that a freeze holds
  lastBackup: Backup | undefined;
  databaseBytes: number;
  quotas: readonly FullQuota[];
  erasures: { unfinished: number; oldestSince: Date | undefined };
  retention: Retention | undefined; // undefined: it is off, or never ran
}

/** What only the responding process knows. */
export interface LocalState {
  version: string;
  migrations: readonly string[]; // that it knows
  bus: { carrier: 'postgres' | 'nats'; up: boolean };
  standby: { state: string; lagSeconds: number } | undefined;
  disk: { freeBytes: number; sizeBytes: number } | undefined;
}

export interface Problem {
  severity: 'critical' | 'warning';
  code: string;
  message: string;
}

const lateMergeSeconds = 15 * 60;
const lateSealSeconds = 60;
const oldBackupDays = 7;
const dayMs = 86_400_000;

/** What needs attention, the worst first. */
export function problemsOf(stored: StoredState, local: LocalState, now = new Date()): Problem[] {
  const problems = [
    ...diskProblems(local),
    ...replicaProblems(stored, local),
    ...lags(stored, local),
    ...backupProblems(stored, now),
    ...stored.quotas.map(({ orgName, quota, used, limit }) =>
      warning(
        'quota_near_limit',
        `org ${orgName} uses ${used} of ${limit} ${quota}: raise its quota, or ask it to remove some`,
      ),
    ),
  ];
  return problems.toSorted((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
}

const warning = (code: string, message: string): Problem => ({ severity: 'warning', code, message });

function diskProblems({ disk }: LocalState): Problem[] {
  if (!disk) return [];
  const free = disk.freeBytes / disk.sizeBytes;
  if (free >= 0.15) return [];
  const message = `the disk of the data folder has ${(free * 100).toFixed(1)} % free: make room before writes fail`;
  return [{ severity: free < 0.05 ? 'critical' : 'warning', code: 'disk_full', message }];
}

function replicaProblems({ replicas, appliedMigrations }: StoredState, { migrations }: LocalState): Problem[] {
  const dead = replicas.filter(({ ready }) => !ready);
  const versions = new Set(replicas.filter(({ ready }) => ready).map(({ version }) => version ?? 'an earlier one'));
  const newer = newerMigrations(appliedMigrations, migrations);
  return [
    ...dead.map(({ id, leaseUntil }) =>
      warning('replica_dead', `replica ${id} has not renewed its lease since ${leaseUntil.toISOString()}: see its log`),
    ),
    ...(versions.size > 1
      ? [
          warning(
            'versions_differ',
            `replicas run different versions (${[...versions].join(', ')}): finish the upgrade`,
          ),
        ]
      : []),
    ...(newer.length > 0
      ? [
          warning(
            'newer_schema',
            `the database has the newer schema ${newer.join(', ')}: finish the upgrade of this replica, unless you went back to its release`,
          ),
        ]
      : []),
  ];
}

export const newerMigrations = (applied: readonly string[], known: readonly string[]): string[] =>
  applied.filter((name) => !known.includes(name));

function lags({ logs, audit, lateStarts }: StoredState, { bus, standby }: LocalState): Problem[] {
  return [
    ...(lateStarts > 0
      ? [
          {
            severity: 'critical' as const,
            code: 'deployments_late',
            message: `${lateStarts} ${lateStarts === 1 ? 'deployment' : 'deployments'} should have started a minute ago: see the log for errors of the engine`,
          },
        ]
      : []),
    ...(bus.up
      ? []
      : [
          warning(
            'bus_down',
            `hints from other replicas arrive late: this replica has no connection to ${bus.carrier}`,
          ),
        ]),
    ...(standby && standby.state !== 'ok'
      ? [warning('standby_unusable', `lists are read from the primary: the standby is ${standby.state}`)]
      : []),
    ...(logs.oldestUnmergedSeconds > lateMergeSeconds
      ? [warning('logs_unmerged', `log records have not been merged for ${logs.oldestUnmergedSeconds} s: see the log`)]
      : []),
    ...(audit.unsealedSeconds > lateSealSeconds
      ? [warning('audit_unsealed', `audit entries have no hash since ${audit.unsealedSeconds} s: see the log`)]
      : []),
  ];
}

function backupProblems({ lastBackup }: StoredState, now: Date): Problem[] {
  const how = 'run fleet-control-service backup on the host';
  if (!lastBackup) return [warning('no_backup', `no backup was ever taken: ${how}`)];
  const days = Math.floor((now.getTime() - lastBackup.takenAt.getTime()) / dayMs);
  return days >= oldBackupDays ? [warning('backup_old', `the last backup is ${days} days old: ${how}`)] : [];
}
