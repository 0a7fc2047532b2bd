import type { AuditEntry } from '../../cli/api/api.ts';
import { hashAfter, startOf } from '../../cli/commands/audit/chain.ts';

const orgId = '0198c5a2-6a60-7e10-b1f0-3f6f2f0d9c01';
const exported = { exported_at: '2026-11-21T09:00:00.000Z', file_sha256: 'ab'.repeat(32) };

/** A log of 3,000 entries, of which the last one records that it begins after entry 2,500. */
export function trimmedLog() {
  const entries: AuditEntry[] = [];
  let previous = startOf(orgId);
  for (let seq = 1; seq <= 3_000; seq += 1) {
    const entry: AuditEntry = {
      seq,
      at: '',
      actor_kind: 'system',
      object_kind: 'org',
      object_id: orgId,
      ...(seq < 3_000
        ? { operation: 'createSite' }
        : { operation: 'trimAudit', after: { seq: 2_500, hash: entries[2_499]?.hash, ...exported } }),
    };
    previous = hashAfter(previous, entry);
    entries.push({ ...entry, hash: previous });
  }
  const hash = entries[2_499]?.hash ?? '';
  return { orgId, entries, anchor: { seq: 2_500, hash, ...exported } };
}
