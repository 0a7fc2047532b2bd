import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { nullableArray, plainArray, textArray } from '../platform/db/arrays.ts';
import { definedOnly } from '../platform/db/columns.ts';
import type { TimelineEntry, NewTimelineEntry, TimelineQuery } from './model.ts';
import { numberAllTimelines, numberTimeline } from './numbering.ts';

interface Row {
  org_id: string;
  robot_id: string;
  id: string;
  seq: number;
  at: Date;
  kind: string;
  details: Record<string, unknown> | null;
}

/** Entries deleted per statement, and statements per call: maintenance runs each minute. */
const dropBatch = 5_000;
const maxDropBatches = 20;

export function timelineStore(db: Knex) {
  return {
    /** The statement that writes entries, without their numbers (`numbering.ts`). */
    record(notes: readonly NewTimelineEntry[]): Knex.Raw {
      return db.raw(
        `insert into timeline_unnumbered (org_id, robot_id, id, kind, details)
         select * from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::jsonb[])`,
        [
          plainArray(notes.map(({ orgId }) => orgId)),
          plainArray(notes.map(({ robotId }) => robotId)),
          plainArray(notes.map(() => newId())),
          textArray(notes.map(({ kind }) => kind)),
          nullableArray(notes.map(({ details }) => details && JSON.stringify(details))),
        ],
      );
    },

    seal: (orgId: string, robotId: string) => numberTimeline(db, orgId, robotId),
    sealAll: () => numberAllTimelines(db),

    /**
     * Deletes entries older than `days`, except the newest of each robot, whose number the next entry continues. For
     * removed robots the newest is deleted too. Returns the number deleted; the next call continues.
     */
    async dropOlder(days: number): Promise<number> {
      let dropped = 0;
      for (let batch = 0; batch < maxDropBatches; batch += 1) {
        const { rowCount } = await db.raw<{ rowCount: number }>(
          `delete from timeline t using (
             select o.org_id, o.robot_id, o.id from timeline o
              where o.at < now() - make_interval(days => :days)
                and (exists (select from timeline n where n.org_id = o.org_id and n.robot_id = o.robot_id and n.seq > o.seq)
                     or not exists (select from robots r where r.org_id = o.org_id and r.id = o.robot_id))
              order by o.at limit :dropBatch for update of o skip locked
           ) old
           where t.org_id = old.org_id and t.robot_id = old.robot_id and t.id = old.id`,
          { days, dropBatch },
        );
        dropped += rowCount;
        if (rowCount < dropBatch) break;
      }
      return dropped;
    },

    /** Numbered entries, oldest first: those after `after`, else the latest. */
    async list(orgId: string, robotId: string, { after, limit, kind }: TimelineQuery): Promise<TimelineEntry[]> {
      const query = db<Row>('timeline')
        .select('seq', 'at', 'kind', 'details')
        .where(definedOnly({ org_id: orgId, robot_id: robotId, kind }))
        .limit(limit);
      const rows =
        after === undefined
          ? (await query.orderBy('seq', 'desc')).reverse()
          : await query.where('seq', '>', after).orderBy('seq');
      return rows.map(({ seq, at, kind: found, details }) => ({ seq, at, kind: found, details: details ?? undefined }));
    },
  };
}
