import type { Knex } from 'knex';
import { auditService } from '../../audit/service.ts';
import type { Delivery } from '../delivery.ts';

interface RefusalRow {
  is_refused: boolean;
  is_reported: boolean;
  quota: number | null;
}

/** Records of orgs that have stored as much today as their quota allows. */
export function logQuota(db: Knex) {
  const full = new Set<string>(); // orgs, as last seen

  /** In the audit log, once a day. If it fails, the next refusal does it. */
  const reportOnce = (orgId: string, quota: number) =>
    db.transaction(async (trx) => {
      const changed = await trx('org_logs_today')
        .where({ org_id: orgId, is_reported: false })
        .where('refused_records', '>', 0) // another day may have begun
        .update({ is_reported: true });
      if (changed > 0)
        await auditService(trx).record(orgId, {
          actor: { kind: 'system' },
          operation: 'refuseLogRecords',
          objectKind: 'org',
          objectId: orgId,
          after: { quotas: { log_bytes_per_day: quota } },
        });
    });

  return {
    isFull: (orgId: string) => full.has(orgId),
    setFull: (orgId: string) => void full.add(orgId),

    /** Counts records that are not stored. Returns false if the org has room again. */
    async refuse(orgId: string, deliveries: readonly Delivery[]): Promise<boolean> {
      const lines = deliveries.flatMap((delivery) => delivery.lines);
      const { rows } = await db.raw<{ rows: [RefusalRow] }>('select * from refuse_log_records(?, ?, ?)', [
        ...[orgId, lines.length, lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)],
      ]);
      const [{ is_refused: isRefused, is_reported: isReported, quota }] = rows;
      if (!isRefused) full.delete(orgId);
      else if (!isReported) await reportOnce(orgId, quota ?? 0).catch(() => undefined);
      return isRefused;
    },
  };
}
