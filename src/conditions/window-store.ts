import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { MaintenanceWindow, WindowTarget } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  target_kind: WindowTarget['kind'];
  target_id: string;
  site_id: string | null;
  fleet_id: string | null;
  robot_id: string | null;
  reason: string;
  created_at: Date;
  ends_at: Date;
  ended_at: Date | null;
}

const columns = [
  'id',
  'target_kind',
  'target_id',
  'reason',
  'created_at',
  'ends_at',
  'ended_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function windowStore(db: Knex) {
  return {
    async create(
      orgId: string,
      { target, reason, hours }: { target: WindowTarget; reason: string; hours: number },
    ): Promise<MaintenanceWindow> {
      const row = {
        org_id: orgId,
        id: newId(),
        target_kind: target.kind,
        target_id: target.id,
        [`${target.kind}_id`]: target.id,
        reason,
        ends_at: db.raw('now() + make_interval(secs => ?)', [hours * 3_600]),
      };
      const { rows } = await insertRow<Row>(db, 'maintenance_windows', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    async find(orgId: string, id: string): Promise<MaintenanceWindow | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('maintenance_windows').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    /** `isOpen`: only windows that have not ended, or only those that have. */
    list: (orgId: string, { isOpen }: { isOpen: boolean | undefined }, page: Page): Promise<JsonRows<Column>> =>
      readPage(
        db,
        {
          table: 'maintenance_windows',
          columns,
          ...(isOpen !== undefined && { only: `ended_at is ${isOpen ? '' : 'not '}null` }),
        },
        { org_id: orgId },
        page,
      ),

    /** Ends a window now; undefined if it has ended. */
    async end(orgId: string, id: string): Promise<MaintenanceWindow | undefined> {
      const [row] = await db<Row>('maintenance_windows')
        .where({ org_id: orgId, id, ended_at: null })
        .update({ ended_at: db.fn.now() as unknown as Date })
        .returning(columns);
      return row && fromRow(row);
    },

    /** Ends the windows whose time is over, and requests the review of their robots. */
    async endDue(): Promise<void> {
      await db.raw(
        `with ended as (
           update maintenance_windows set ended_at = ends_at where ended_at is null and ends_at <= now()
           returning org_id, site_id, fleet_id, robot_id
         )
         insert into condition_reviews (org_id, site_id, fleet_id, robot_id) select * from ended`,
      );
    },
  };
}

const fromRow = (row: Pick<Row, Column>): MaintenanceWindow => ({
  id: row.id,
  target: { kind: row.target_kind, id: row.target_id },
  reason: row.reason,
  createdAt: row.created_at,
  endsAt: row.ends_at,
  endedAt: row.ended_at ?? undefined,
});
