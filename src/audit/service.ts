import type { Knex } from 'knex';
import type { JsonRows } from '../platform/db/json-rows.ts';
import {
  changedFields,
  maxEntries,
  type AuditAnchor,
  type AuditQuery,
  type EntryColumn,
  type NewAuditEntry,
} from './model.ts';
import { sealingStore } from './sealing.ts';
import { auditStore } from './store.ts';
import { trimStore } from './trim-store.ts';

export { chainHash, chainHashOfText, chainStart } from './chain.ts';
export { actorOf, entryColumns, type AuditAnchor, type AuditTrim, type ExportedRange } from './model.ts';
export { auditTrimming } from './trimming.ts';

export type AuditService = ReturnType<typeof auditService>;

/** Maximum wait of a reader while entries of an earlier release, possibly very many, get their hashes. */
const sealWithinMs = 2_000;

export function auditService(db: Knex) {
  const [entries, sealing] = [auditStore(db), sealingStore(db)];

  async function seal(orgId: string, withinMs: number): Promise<void> {
    if (!(await sealing.isBehind(orgId))) return;
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) if (!(await sealing.sealBatch(orgId, 'wait'))) return;
    await entries.number(orgId);
  }

  return {
    /** The statement that writes one entry, in the transaction of its change; it runs when awaited. */
    record: (orgId: string, note: NewAuditEntry): Knex.Raw =>
      entries.record(orgId, { ...note, ...changedFields(note) }),

    /**
     * Seals the pending entries of all orgs. An org that another replica is sealing is left to that one, and an org
     * whose entries cannot be sealed delays no other.
     * @param signal ends it after the current batch; after an upgrade there may be minutes of them.
     * @throws AggregateError at the end, with all failures
     */
    async sealAll(signal?: AbortSignal): Promise<void> {
      const failures: unknown[] = [];
      for (let goesOn = true; goesOn;) {
        goesOn = false;
        for (const orgId of await sealing.orgsBehind()) {
          if (signal?.aborted) return;
          const hasMore = await sealing.sealBatch(orgId, 'leave').catch((error: unknown) => {
            failures.push(error);
            return false;
          });
          goesOn ||= hasMore;
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'entries of the audit log could not be sealed');
    },

    /** Every entry committed before the call is numbered and found, and sealed as far as `withinMs` allows. */
    async list(
      orgId: string,
      query: Omit<AuditQuery, 'limit'> & { limit?: number | undefined },
      withinMs = sealWithinMs,
    ): Promise<JsonRows<EntryColumn>> {
      await seal(orgId, withinMs);
      return entries.list(orgId, { ...query, limit: query.limit ?? maxEntries });
    },

    /**
     * Where the log begins; undefined: at its first entry. Called after `list`, it covers whatever is missing there; the entry about it
     * may be newer than the list.
     */
    anchorOf: (orgId: string): Promise<AuditAnchor | undefined> => trimStore(db).anchorOf(orgId),
  };
}
