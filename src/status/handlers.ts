import type { Knex } from 'knex';
import type { components } from '../../generated/api.d.ts';
import type { Handlers } from '../platform/http/dispatch/operation.ts';
import type { ServiceStatus, StatusService } from './service.ts';

type Schemas = components['schemas'];

export const statusHandlers = (status: (db: Knex) => StatusService) =>
  ({
    async getStatus({ db }) {
      return { status: 200, body: { data: toWire(await status(db).get()) } };
    },
  }) satisfies Pick<Handlers, 'getStatus'>;

const toWire = (status: ServiceStatus): Schemas['ServiceStatus'] => ({
  problems: status.problems,
  version: status.version,
  schema: status.migrations.at(-1) ?? '',
  newer_migrations: status.newerMigrations,
  replicas: status.replicas.map(toReplica),
  bus: status.bus,
  ...(status.standby && {
    standby: { state: status.standby.state, lag_seconds: Math.round(status.standby.lagSeconds * 10) / 10 },
  }),
  logs: {
    oldest_unmerged_seconds: status.logs.oldestUnmergedSeconds,
    unmerged_bytes: status.logs.unmergedBytes,
  },
  audit: { unsealed_seconds: status.audit.unsealedSeconds },
  queues: {
    due_deployments: status.queues.dueDeployments,
    oldest_due_seconds: status.queues.oldestDueSeconds,
    open_orders: status.queues.openOrders,
  },
  erasures: {
    unfinished: status.erasures.unfinished,
    ...(status.erasures.oldestSince && { oldest_since: status.erasures.oldestSince.toISOString() }),
  },
  ...(status.retention && { retention: toRetention(status.retention) }),
  ...(status.lastBackup && {
    last_backup: {
      taken_at: status.lastBackup.takenAt.toISOString(),
      finished_at: status.lastBackup.finishedAt.toISOString(),
      bytes: status.lastBackup.bytes,
      taken_by: status.lastBackup.takenBy,
    },
  }),
  database_bytes: status.databaseBytes,
  ...(status.disk && { disk: { free_bytes: status.disk.freeBytes, size_bytes: status.disk.sizeBytes } }),
  quotas: status.quotas.map(({ orgId, orgName, ...quota }) => ({ org_id: orgId, org_name: orgName, ...quota })),
});

const toRetention = ({
  removedRows,
  table,
  deploymentsUntil,
  nextRoundAt,
}: NonNullable<ServiceStatus['retention']>): Schemas['StatusRetention'] => ({
  removed_rows: removedRows,
  ...(table && { table }),
  ...(deploymentsUntil && { deployments_until: deploymentsUntil.toISOString() }),
  ...(nextRoundAt && { next_round_at: nextRoundAt.toISOString() }),
});

const toReplica = (replica: ServiceStatus['replicas'][number]): Schemas['StatusReplica'] => ({
  id: replica.id,
  ...(replica.version === undefined ? {} : { version: replica.version }),
  started_at: replica.startedAt.toISOString(),
  lease_until: replica.leaseUntil.toISOString(),
  ready: replica.ready,
  ...(replica.links === undefined ? {} : { links: replica.links }),
  records_hints: replica.recordsHints,
  ...(replica.url === undefined ? {} : { url: replica.url }),
});
