import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { inOrder } from '../platform/db/page.ts';
import type { Fleet, FleetFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  site_id: string;
  created_at: Date;
}

const columns: (keyof Row)[] = ['id', 'name', 'site_id', 'created_at'];

export function fleetStore(db: Knex) {
  return {
    async create(orgId: string, { name, siteId }: { name: string; siteId: string }): Promise<Fleet> {
      const [row] = await db<Row>('fleets')
        .insert({ org_id: orgId, id: newId(), name, site_id: siteId })
        .returning(columns);
      return fromRow(row as Row); // an insert without conflict gives its row
    },

    async find(orgId: string, id: string): Promise<Fleet | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('fleets').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    async list(orgId: string, { name, siteId }: FleetFilter, page: Page): Promise<Fleet[]> {
      if (siteId !== undefined && !isId(siteId)) return [];
      const rows = await inOrder(
        db<Row>('fleets')
          .select(columns)
          .where(definedOnly({ org_id: orgId, name, site_id: siteId })),
        page,
      );
      return rows.map(fromRow);
    },
  };
}

const fromRow = (row: Row): Fleet => ({ id: row.id, name: row.name, siteId: row.site_id, createdAt: row.created_at });
