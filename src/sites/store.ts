import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Site, SiteFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  created_at: Date;
}

const columns = ['id', 'name', 'created_at'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function siteStore(db: Knex) {
  return {
    async create(orgId: string, name: string): Promise<Site> {
      const { rows } = await insertRow<Row>(db, 'sites', { org_id: orgId, id: newId(), name }, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    /** Undefined if this org has no such site; another org's ID looks like an unknown one. */
    async find(orgId: string, id: string): Promise<Site | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('sites').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    list: (orgId: string, { name }: SiteFilter, page: Page): Promise<JsonRows<Column>> =>
      readPage(db, { table: 'sites', columns }, { org_id: orgId, name }, page),
  };
}

const fromRow = (row: Pick<Row, Column>): Site => ({ id: row.id, name: row.name, createdAt: row.created_at });
