import type { Knex } from 'knex';
import { maxEntries, type AuditEntry, type AuditQuery } from './model.ts';
import { auditStore } from './store.ts';

export type AuditService = ReturnType<typeof auditService>;

export function auditService(db: Knex) {
  const entries = auditStore(db);
  return {
    record: entries.record,

    /** Everything that was committed before the call is numbered and found. */
    async list(
      orgId: string,
      query: Omit<AuditQuery, 'limit'> & { limit?: number | undefined },
    ): Promise<AuditEntry[]> {
      await entries.seal(orgId);
      return entries.list(orgId, { ...query, limit: query.limit ?? maxEntries });
    },
  };
}
