import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { LogRedaction, RedactionSettings } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  name: string;
  pattern: string;
  replacement: string | null;
  enabled: boolean;
  builtin: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'name',
  'pattern',
  'replacement',
  'enabled',
  'builtin',
  'created_at',
  'updated_at',
] as const satisfies (keyof Row)[];

const listColumns = columns.filter((column) => column !== 'replacement');
const listComputed = { replacement: `coalesce(replacement, '[redacted: ' || name || ']')` };
type ListColumn = (typeof columns)[number];

export function redactionStore(db: Knex) {
  return {
    async create(orgId: string, settings: RedactionSettings): Promise<LogRedaction> {
      const row = { org_id: orgId, id: newId(), ...toColumns(settings) };
      const { rows } = await insertRow<Row>(db, 'log_redactions', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    list: (orgId: string, page: Page): Promise<JsonRows<ListColumn>> =>
      readPage(db, { table: 'log_redactions', columns: listColumns, computed: listComputed }, { org_id: orgId }, page),

    /** All rules of the org, oldest first. */
    async all(orgId: string): Promise<LogRedaction[]> {
      const rows = await db<Row>('log_redactions')
        .select(columns)
        .where({ org_id: orgId })
        .orderBy(['created_at', 'id']);
      return rows.map(fromRow);
    },

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<LogRedaction | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('log_redactions').select(columns).where({ org_id: orgId, id });
      const row = await (lock ? query.forUpdate() : query).first();
      return row && fromRow(row);
    },

    async update(orgId: string, id: string, settings: RedactionSettings): Promise<LogRedaction | undefined> {
      const [row] = await db('log_redactions')
        .where({ org_id: orgId, id })
        .update({ ...toColumns(settings), updated_at: db.fn.now() })
        .returning<Row[]>(columns);
      return row && fromRow(row);
    },

    async delete(orgId: string, id: string): Promise<void> {
      await db<Row>('log_redactions').where({ org_id: orgId, id }).delete();
    },
  };
}

const toColumns = ({ name, pattern, replacement, enabled }: RedactionSettings) => ({
  name,
  pattern,
  replacement: replacement ?? null,
  enabled,
});

const fromRow = (row: Pick<Row, (typeof columns)[number]>): LogRedaction => ({
  id: row.id,
  name: row.name,
  pattern: row.pattern,
  replacement: row.replacement ?? undefined,
  enabled: row.enabled,
  builtin: row.builtin,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
