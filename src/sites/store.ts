import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import { nameMatch, writeNamed } from '../platform/db/unique-names.ts';
import { storedAddress, type Site, type SiteChange, type SiteFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  artifact_base_url: string | null;
  created_at: Date;
}

const columns = ['id', 'name', 'created_at', 'artifact_base_url'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function siteStore(db: Knex) {
  return {
    /** @throws conflict if the name is taken */
    async create(orgId: string, name: string, artifactBaseUrl = ''): Promise<Site> {
      const row = { org_id: orgId, id: newId(), name, artifact_base_url: storedAddress(artifactBaseUrl) };
      const { rows } = await writeNamed(db, 'site', { name, within: { org_id: orgId } }, () =>
        insertRow<Row>(db, 'sites', row, { returning: columns }),
      );
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    /**
     * Undefined if this org has no such site; another org's ID looks like an unknown one. With `lock`, locks the row
     * until the transaction ends, also against new fleets.
     */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<Site | undefined> {
      if (!isId(id)) return undefined;
      const found = db<Row>('sites').select(columns).where({ org_id: orgId, id }).first();
      const row = await (lock ? found.forUpdate() : found);
      return row && fromRow(row);
    },

    list: (orgId: string, { name }: SiteFilter, page: Page): Promise<JsonRows<Column>> =>
      readPage(db, { table: 'sites', columns, match: nameMatch }, { org_id: orgId, name }, page),

    /** @throws conflict if the name is taken */
    async update(orgId: string, { id, ...before }: Site, change: SiteChange): Promise<Site | undefined> {
      const { name = before.name, artifactBaseUrl: address = before.artifactBaseUrl ?? '' } = change;
      const set = { name, artifact_base_url: storedAddress(address) };
      const [row] = await writeNamed(db, 'site', { name, within: { org_id: orgId } }, () =>
        db<Row>('sites').where({ org_id: orgId, id }).update(set).returning(columns),
      );
      return row && fromRow(row);
    },

    async countFleets(orgId: string, id: string): Promise<number> {
      const { rows } = await db.raw<{ rows: [{ fleets: number }] }>(
        'select count(*) as fleets from fleets where org_id = ? and site_id = ?',
        [orgId, id],
      );
      return rows[0].fleets;
    },

    async delete(orgId: string, id: string): Promise<void> {
      await db('sites').where({ org_id: orgId, id }).delete();
    },
  };
}

const fromRow = (row: Pick<Row, Column>): Site => ({
  id: row.id,
  name: row.name,
  artifactBaseUrl: row.artifact_base_url ?? undefined,
  createdAt: row.created_at,
});
