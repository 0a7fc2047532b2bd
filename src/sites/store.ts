import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { inOrder } from '../platform/db/page.ts';
import type { Site, SiteFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  created_at: Date;
}

const columns: (keyof Row)[] = ['id', 'name', 'created_at'];

export function siteStore(db: Knex) {
  return {
    async create(orgId: string, name: string): Promise<Site> {
      const [row] = await db<Row>('sites').insert({ org_id: orgId, id: newId(), name }).returning(columns);
      return fromRow(row as Row); // an insert without conflict gives its row
    },

    /** Undefined when this org has no such site: another org's id looks exactly like no id. */
    async find(orgId: string, id: string): Promise<Site | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('sites').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    async list(orgId: string, { name }: SiteFilter, page: Page): Promise<Site[]> {
      const rows = await inOrder(
        db<Row>('sites')
          .select(columns)
          .where(definedOnly({ org_id: orgId, name })),
        page,
      );
      return rows.map(fromRow);
    },
  };
}

const fromRow = (row: Row): Site => ({ id: row.id, name: row.name, createdAt: row.created_at });
