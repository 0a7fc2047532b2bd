import { Counter, Gauge, type Registry } from 'prom-client';

/** What a service knows of all its robots and its database, from the database. Every replica reads the same. */
export interface SharedState {
  robots: Record<string, number>; // by presence
  health: Record<string, number>; // robots by health
  deployments: Record<string, number>; // active ones by status
  paused: Record<string, number>; // paused ones by reason
  overdue: Record<string, number>; // by what is overdue
  databaseBytes: number;
  clockOffsetSeconds: number; // of the database, relative to this machine
  retentionRows: Record<string, number>; // of deployments that the retention has removed so far, by table
  backupAt: Date | undefined; // of the snapshot of the last backup
}

/** The state of a process, read at each scrape. What is undefined or absent has no sample. */
export interface ProcessState {
  busUp(): boolean;
  poolUsed(): number;
  poolSize?: number;
  databaseUp?(): Promise<boolean>;
  shared?(): Promise<SharedState | undefined>;
  /** The file system with the data folder. */
  disk?(): Promise<{ freeBytes: number; sizeBytes: number } | undefined>;
  links?(): number;
  replicas?(): number; // alive, this one included
  viewers?(): Record<string, number>; // by kind
  logs?(): {
    isFull: boolean;
    tableBytes: Record<string, number>; // by table; empty until they are known
    mergeLagSeconds: number | undefined;
  };
  standby?: { state(): string; lagSeconds(): number } | undefined;
  version?: string;
  /** Spans that were not exported since the start. */
  spansDropped?(): number;
}

type Labels = readonly [label: string, values: Record<string, number>];

/** Registers the gauges, and returns the function that reads what takes time. Call it before each scrape. */
export function registerGauges(registry: Registry, state: ProcessState): () => Promise<void> {
  const registers = [registry];
  let databaseUp: boolean | undefined;
  let shared: SharedState | undefined;
  let disk: { freeBytes: number; sizeBytes: number } | undefined;

  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read();
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  const labelled = (name: string, help: string, label: string, read: () => Labels[1] | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(read() ?? {})) this.set({ [label]: value }, count);
      },
    });
  const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

  if (state.version !== undefined) {
    const { version } = state;
    labelled('fleet_build_info', 'Always 1; the version of the service', 'version', () => ({ [version]: 1 }));
  }
  gauge('fleet_bus_up', '1 while notifications from other replicas arrive, else 0', () => Number(state.busUp()));
  gauge('fleet_database_up', '1 while the database responds, else 0', () => flag(databaseUp));
  gauge('fleet_database_connections_used', 'Connections of the pool in use', state.poolUsed);
  gauge('fleet_database_connections_max', 'Maximum number of connections of the pool', () => state.poolSize);
  gauge('fleet_database_size_bytes', 'Size of the database on disk', () => shared?.databaseBytes);
  gauge(
    'fleet_database_clock_offset_seconds',
    'Clock of the database minus clock of this machine',
    () => shared?.clockOffsetSeconds,
  );
  gauge('fleet_last_backup_timestamp_seconds', 'Unix time of the snapshot of the last complete backup', () => {
    const at = shared?.backupAt;
    return at && at.getTime() / 1_000;
  });
  labelled(
    'fleet_retention_removed_rows',
    'Rows of old deployments that were removed so far',
    'table',
    () => shared?.retentionRows,
  );
  gauge('fleet_data_folder_free_bytes', 'Free space of the file system with the data folder', () => disk?.freeBytes);
  gauge('fleet_data_folder_size_bytes', 'Size of the file system with the data folder', () => disk?.sizeBytes);
  gauge('fleet_replicas', 'Replicas that are alive, as this one sees them', () => state.replicas?.());
  gauge('fleet_agent_links', 'Agent links of this process', () => state.links?.() ?? 0);
  labelled('fleet_viewers', 'Open sockets of viewers, by stream', 'kind', () => state.viewers?.());

  labelled('fleet_robots', 'Robots of all orgs: online or offline', 'presence', () => shared?.robots);
  labelled('fleet_robots_by_health', 'Robots of all orgs, by health', 'health', () => shared?.health);
  labelled('fleet_deployments', 'Active deployments of all orgs, by status', 'status', () => shared?.deployments);
  labelled('fleet_deployments_paused', 'Paused deployments of all orgs, by reason', 'reason', () => shared?.paused);
  labelled(
    'fleet_deployments_overdue',
    'Deployments that the service should have worked on a minute ago: to start, to end robots after their deadline, or to decide on the next wave',
    'step',
    () => shared?.overdue,
  );

  gauge(
    'fleet_log_tables_full',
    'Whether log records are not stored, because their tables exceed LOG_DATABASE_GB and do not shrink: 1 or 0',
    () => Number(state.logs?.().isFull === true),
  );
  labelled('fleet_log_tables_bytes', 'Size of the tables of log records', 'table', () => state.logs?.().tableBytes);
  gauge(
    'fleet_log_merge_lag_seconds',
    'Age of the oldest log records that are not merged; 0 if all are',
    () => state.logs?.().mergeLagSeconds,
  );
  new Counter({
    name: 'fleet_trace_spans_dropped_total',
    help: 'Spans of traces that were not exported: the queue was full, or the collector did not take them',
    registers,
    collect() {
      this.reset();
      this.inc(state.spansDropped?.() ?? 0);
    },
  });
  const { standby } = state;
  if (standby) {
    gauge('fleet_read_standby_up', '1 while lists are read from the standby, else 0', () =>
      Number(standby.state() === 'ok'),
    );
    gauge(
      'fleet_read_standby_lag_seconds',
      'Age of the newest state of the primary that is known to be on the standby',
      standby.lagSeconds,
    );
  }

  return async () => {
    [databaseUp, shared, disk] = await Promise.all([state.databaseUp?.(), state.shared?.(), state.disk?.()]);
  };
}
