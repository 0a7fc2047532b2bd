import type { Knex } from 'knex';
import { newId } from '../kernel/ids.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { sealAllNumbers, sealNumbers } from '../platform/db/numbered.ts';
import type { TimelineEntry, TimelineNote, TimelineQuery } from './model.ts';

interface Row {
  org_id: string;
  robot_id: string;
  id: string;
  seq: number;
  at: Date;
  kind: string;
  details: Record<string, unknown> | null;
}

const numbered = { name: 'timeline', series: 'robot_id' };

export function timelineStore(db: Knex) {
  return {
    /** The statement that writes entries, without their numbers (`platform/db/numbered.ts`). */
    record(notes: TimelineNote[]): Knex.QueryBuilder {
      return db('timeline').insert(
        notes.map(({ orgId, robotId, kind, details }) => ({
          org_id: orgId,
          robot_id: robotId,
          id: newId(),
          kind,
          details: details === undefined ? null : JSON.stringify(details),
        })),
      );
    },

    seal: (orgId: string, robotId: string) => sealNumbers(db, numbered, orgId, robotId),
    sealAll: () => sealAllNumbers(db, numbered),

    /** Numbered entries, oldest first: those after `after`, else the latest. */
    async list(orgId: string, robotId: string, { after, limit, kind }: TimelineQuery): Promise<TimelineEntry[]> {
      const query = db<Row>('timeline')
        .select('seq', 'at', 'kind', 'details')
        .where(definedOnly({ org_id: orgId, robot_id: robotId, kind }))
        .whereNotNull('seq')
        .limit(limit);
      const rows =
        after === undefined
          ? (await query.orderBy('seq', 'desc')).reverse()
          : await query.where('seq', '>', after).orderBy('seq');
      return rows.map(({ seq, at, kind: found, details }) => ({ seq, at, kind: found, details: details ?? undefined }));
    },
  };
}
