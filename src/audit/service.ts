import type { Knex } from 'knex';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { changedFields, maxEntries, type AuditNote, type AuditQuery } from './model.ts';
import { auditStore, type EntryColumn } from './store.ts';

export { actorOf } from './model.ts';

export type AuditService = ReturnType<typeof auditService>;

export function auditService(db: Knex) {
  const entries = auditStore(db);
  return {
    /** The statement that writes one entry, in the transaction of the change it tells; it runs when it is awaited. */
    record: (orgId: string, note: AuditNote): Knex.Raw => entries.record(orgId, { ...note, ...changedFields(note) }),

    /** Numbers the entries of logs that nobody reads. */
    sealAll: entries.sealAll,

    /** Everything that was committed before the call is numbered and found. */
    async list(
      orgId: string,
      query: Omit<AuditQuery, 'limit'> & { limit?: number | undefined },
    ): Promise<JsonRows<EntryColumn>> {
      await entries.seal(orgId);
      return entries.list(orgId, { ...query, limit: query.limit ?? maxEntries });
    },
  };
}
