import type { Knex } from 'knex';
import {
  maxEntries,
  type TimelineDetails,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
} from './model.ts';
import { timelineStore } from './store.ts';

export { messageOf } from './model.ts';
export type { TimelineKind, NewTimelineEntry } from './model.ts';

export type TimelineService = ReturnType<typeof timelineService>;

/** The history of each robot, in order. `db` may be the transaction of the change that an entry records. */
export function timelineService(db: Knex) {
  const entries = timelineStore(db);
  return {
    /** The statement that writes one entry; it runs when awaited. */
    record: (orgId: string, robotId: string, kind: TimelineKind, details?: TimelineDetails): Knex.Raw =>
      entries.record([{ orgId, robotId, kind, details }]),

    /** The statement that writes one or more entries. */
    recordMany: entries.record,

    /** Numbers the entries of timelines that no caller reads. */
    sealAll: entries.sealAll,

    dropOlder: entries.dropOlder,

    /** Every entry committed before the call is numbered and found. */
    async list(
      orgId: string,
      robotId: string,
      query: Omit<TimelineQuery, 'limit'> & { limit?: number | undefined },
    ): Promise<TimelineEntry[]> {
      await entries.seal(orgId, robotId);
      return entries.list(orgId, robotId, { ...query, limit: query.limit ?? maxEntries });
    },
  };
}
