import type { Knex } from 'knex';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { changedFields, maxEntries, type AuditNote, type AuditQuery, type EntryColumn } from './model.ts';
import { sealingStore } from './sealing.ts';
import { auditStore } from './store.ts';

export { actorOf } from './model.ts';

export type AuditService = ReturnType<typeof auditService>;

/** How long a reader waits at most while entries of an earlier release, which may be very many, get their hashes. */
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
    /** The statement that writes one entry, in the transaction of the change it tells; it runs when it is awaited. */
    record: (orgId: string, note: AuditNote): Knex.Raw => entries.record(orgId, { ...note, ...changedFields(note) }),

    /**
     * Seals what waits for it, of all orgs. An org that another replica seals is left to that one, and one whose entries cannot be sealed holds up
     * no other. @param signal ends it after the batch on its way; after an upgrade there may be minutes of them. @throws AggregateError at the end, of
     * what failed
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

    /** Everything that was committed before the call is numbered and found, and sealed as far as `withinMs` allows. */
    async list(
      orgId: string,
      query: Omit<AuditQuery, 'limit'> & { limit?: number | undefined },
      withinMs = sealWithinMs,
    ): Promise<JsonRows<EntryColumn>> {
      await seal(orgId, withinMs);
      return entries.list(orgId, { ...query, limit: query.limit ?? maxEntries });
    },
  };
}
