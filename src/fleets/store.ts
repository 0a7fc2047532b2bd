import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Fleet, FleetFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  site_id: string;
  created_at: Date;
}

const columns = ['id', 'name', 'site_id', 'created_at'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function fleetStore(db: Knex) {
  return {
    async create(orgId: string, { name, siteId }: { name: string; siteId: string }): Promise<Fleet> {
      const row = { org_id: orgId, id: newId(), name, site_id: siteId };
      const { rows } = await insertRow<Row>(db, 'fleets', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    async find(orgId: string, id: string): Promise<Fleet | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('fleets').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    async list(orgId: string, { name, siteId }: FleetFilter, page: Page): Promise<JsonRows<Column>> {
      if (siteId !== undefined && !isId(siteId)) return noRows;
      return readPage(db, { table: 'fleets', columns }, { org_id: orgId, name, site_id: siteId }, page);
    },
  };
}

const fromRow = (row: Pick<Row, Column>): Fleet => ({
  id: row.id,
  name: row.name,
  siteId: row.site_id,
  createdAt: row.created_at,
});
