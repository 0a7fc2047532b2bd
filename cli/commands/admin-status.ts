import { adminApiOf, type ServiceStatus } from '../api/api.ts';
import type { Invocation } from '../command-line/command-spec.ts';
import { exitCode } from '../command-line/exit-codes.ts';
import { renderObject } from '../output/render.ts';
import { safeText } from '../output/safe.ts';
import { relativeTime } from '../output/time.ts';
import { amount, span } from '../output/units.ts';
import { answeredFieldsHelp, isForPeople, type View } from '../output/view.ts';

type Replica = ServiceStatus['replicas'][number];

const replicaText = ({ id, ready, version, links = 0 }: Replica): string =>
  `${id.slice(-6)} ${ready ? 'ready' : 'dead'}, ${version ?? 'earlier version'}, ${links} links`;

const backupText = ({ last_backup: backup }: ServiceStatus): string =>
  backup ? `${relativeTime(backup.taken_at)}, ${amount(backup.bytes)}, by ${backup.taken_by}` : 'never';

const erasuresText = ({ erasures }: ServiceStatus): string =>
  erasures?.oldest_since === undefined
    ? 'none unfinished'
    : `${erasures.unfinished} unfinished, the oldest since ${relativeTime(erasures.oldest_since)}`;

function retentionText({ retention }: ServiceStatus): string {
  if (!retention) return 'off, or has not run';
  const { removed_rows: rows, next_round_at: next, deployments_until: until, table = 'deployments' } = retention;
  const place = `looks through ${table.replace('_', ' ')}${until === undefined ? '' : ` that ended after ${until}`}`;
  return `${rows} rows removed, ${next === undefined ? place : `next round ${relativeTime(next)}`}`;
}

const view: View<ServiceStatus> = {
  columns: [
    { field: 'version', shown: 'table' },
    { field: 'schema', shown: 'table' },
    { field: 'newer_migrations', shown: 'table', text: ({ newer_migrations: newer }) => newer.join(', ') },
    {
      field: 'replicas',
      shown: 'table',
      text: ({ replicas }) => replicas.map(replicaText).join('; '),
      tone: ({ replicas }) => (replicas.every(({ ready }) => ready) ? undefined : 'warn'),
    },
    {
      field: 'bus',
      shown: 'table',
      text: ({ bus }) => `${bus.carrier}, ${bus.up ? 'up' : 'down'}`,
      tone: ({ bus }) => (bus.up ? undefined : 'warn'),
    },
    {
      field: 'standby',
      shown: 'table',
      text: ({ standby }) => (standby ? `${standby.state}, ${standby.lag_seconds} s behind` : 'none'),
    },
    {
      field: 'logs',
      shown: 'table',
      text: ({ logs }) => `${amount(logs.unmerged_bytes)} not merged, for ${span(logs.oldest_unmerged_seconds)}`,
    },
    { field: 'audit', shown: 'table', text: ({ audit }) => `sealed up to ${span(audit.unsealed_seconds)} ago` },
    {
      field: 'queues',
      shown: 'table',
      text: ({ queues }) =>
        `${queues.due_deployments} due deployments, for ${span(queues.oldest_due_seconds)}; ${queues.open_orders} open orders`,
    },
    { field: 'erasures', shown: 'table', text: erasuresText },
    { field: 'retention', shown: 'table', text: retentionText },
    { field: 'last_backup', header: 'LAST BACKUP', shown: 'table', text: backupText },
    { field: 'database_bytes', header: 'DATABASE', shown: 'table', text: (status) => amount(status.database_bytes) },
    {
      field: 'disk',
      shown: 'table',
      text: ({ disk }) => (disk ? `${amount(disk.free_bytes)} free of ${amount(disk.size_bytes)}` : 'unknown'),
    },
    {
      field: 'quotas',
      shown: 'table',
      text: ({ quotas }) =>
        quotas.map((each) => `${each.org_name}: ${each.used} of ${each.limit} ${each.quota}`).join('; ') ||
        'none near its limit',
    },
    { field: 'problems', shown: 'lines' },
  ],
  name: ({ version }) => version,
};

/** Prints what needs attention, then a line for each part of the service. */
export async function showStatus(call: Invocation): Promise<number> {
  if (answeredFieldsHelp(call, view)) return exitCode.ok;
  const api = await adminApiOf(call);
  const reply = await api.get('/api/admin/status', {});
  const { problems } = reply.body.data;
  if (isForPeople(call)) {
    const { out } = call.io;
    for (const { severity, message } of problems)
      out.write(`${out.paint(severity.padEnd(9), severity === 'critical' ? 'bad' : 'warn')} ${safeText(message)}\n`);
    if (problems.length === 0) out.write(`${out.paint('ok', 'good')}        nothing needs attention\n`);
    out.write('\n');
  }
  await renderObject(call, reply, reply.body.data, view);
  return call.flags.on('check') && problems.length > 0 ? exitCode.error : exitCode.ok;
}
