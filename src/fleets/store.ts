import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { nameMatch, writeNamed } from '../platform/db/unique-names.ts';
import type { Fleet, FleetContent, FleetFilter } from './model.ts';

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
    /** @throws conflict if the name is taken */
    async create(orgId: string, { name, siteId }: { name: string; siteId: string }): Promise<Fleet> {
      const row = { org_id: orgId, id: newId(), name, site_id: siteId };
      const { rows } = await writeNamed(db, 'fleet', { name, within: { org_id: orgId, site_id: siteId } }, () =>
        insertRow<Row>(db, 'fleets', row, { returning: columns }),
      );
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    /**
     * A lock is held until the transaction ends. `keep`: the fleet is not deleted meanwhile. `change`: nothing else
     * refers to it anew either.
     */
    async find(orgId: string, id: string, { lock }: { lock?: FleetLock } = {}): Promise<Fleet | undefined> {
      if (!isId(id)) return undefined;
      const found = db<Row>('fleets').select(columns).where({ org_id: orgId, id }).first();
      const row = await (lock === 'change' ? found.forUpdate() : lock === 'keep' ? found.forKeyShare() : found);
      return row && fromRow(row);
    },

    async list(orgId: string, { name, siteId }: FleetFilter, page: Page): Promise<JsonRows<Column>> {
      if (siteId !== undefined && !isId(siteId)) return noRows;
      return readPage(
        db,
        { table: 'fleets', columns, match: nameMatch },
        { org_id: orgId, name, site_id: siteId },
        page,
      );
    },

    async idsOfSite(orgId: string, siteId: string): Promise<string[]> {
      const rows = await db<Row>('fleets').select('id').where({ org_id: orgId, site_id: siteId });
      return rows.map(({ id }) => id);
    },

    /** @throws conflict if the name is taken */
    async rename({ id, siteId }: Fleet, orgId: string, name: string): Promise<Fleet | undefined> {
      const [row] = await writeNamed(db, 'fleet', { name, within: { org_id: orgId, site_id: siteId } }, () =>
        db<Row>('fleets').where({ org_id: orgId, id }).update({ name }).returning(columns),
      );
      return row && fromRow(row);
    },

    /** What keeps the fleet from being deleted. A key counts while robots can enroll with it. */
    async contentOf(orgId: string, id: string): Promise<FleetContent> {
      const { rows } = await db.raw<{ rows: [FleetContent] }>(
        `select (select count(*) from robots where org_id = :orgId and fleet_id = :id and retired_at is null) as robots,
                (select count(*) from robots where org_id = :orgId and fleet_id = :id and retired_at is not null) as retired,
                (select count(*) from enrollment_keys where org_id = :orgId and fleet_id = :id and revoked_at is null
                    and (expires_at is null or expires_at > now()) and (max_uses is null or uses < max_uses)) as keys,
                (select count(*) from deployments where org_id = :orgId and target_kind = 'fleet' and target_id = :id
                    and ended_at is null) as deployments`,
        { orgId, id },
      );
      return rows[0];
    },

    /** Deletes the fleet and its ended enrollment keys. */
    async delete(orgId: string, id: string): Promise<void> {
      await db('enrollment_keys').where({ org_id: orgId, fleet_id: id }).delete();
      await db('fleets').where({ org_id: orgId, id }).delete();
    },
  };
}

export type FleetLock = 'keep' | 'change';

const fromRow = (row: Pick<Row, Column>): Fleet => ({
  id: row.id,
  name: row.name,
  siteId: row.site_id,
  createdAt: row.created_at,
});
