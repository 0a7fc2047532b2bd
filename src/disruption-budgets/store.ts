import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { BudgetSettings, RobotNumber } from './budget.ts';

export interface Budget extends BudgetSettings {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  /** What its selector names that no longer exists, if that was looked up: nobody knows then which robots it protects. */
  missing?: string;
}

interface Row {
  org_id: string;
  id: string;
  name: string;
  selector: string | null;
  group_by: string[];
  max_unavailable: RobotNumber | null;
  min_available: RobotNumber | null;
  created_at: Date;
  updated_at: Date;
}

const columns = [
  'id',
  'name',
  'selector',
  'group_by',
  'max_unavailable',
  'min_available',
  'created_at',
  'updated_at',
] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function budgetStore(db: Knex) {
  return {
    async create(orgId: string, settings: BudgetSettings): Promise<Budget> {
      const row = { org_id: orgId, id: newId(), ...toColumns(settings) };
      const { rows } = await insertRow<Row>(db, 'disruption_budgets', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    list: (orgId: string, page: Page): Promise<JsonRows<Column>> =>
      readPage(db, { table: 'disruption_budgets', columns }, { org_id: orgId }, page),

    /** All budgets of the org, oldest first. */
    async all(orgId: string): Promise<Budget[]> {
      const rows = await db<Row>('disruption_budgets').select(columns).where({ org_id: orgId }).orderBy('id');
      return rows.map(fromRow);
    },

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<Budget | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('disruption_budgets').select(columns).where({ org_id: orgId, id });
      const row = await (lock ? query.forUpdate() : query).first();
      return row && fromRow(row);
    },

    async count(orgId: string): Promise<number> {
      const [row] = await db('disruption_budgets').where({ org_id: orgId }).count<{ count: number }[]>();
      return row?.count ?? 0;
    },

    async update(orgId: string, id: string, settings: BudgetSettings): Promise<Budget | undefined> {
      const [row] = await db('disruption_budgets')
        .where({ org_id: orgId, id })
        .update({ ...toColumns(settings), updated_at: db.fn.now() })
        .returning<Row[]>(columns);
      return row && fromRow(row);
    },

    async delete(orgId: string, id: string): Promise<void> {
      await db<Row>('disruption_budgets').where({ org_id: orgId, id }).delete();
    },
  };
}

const toColumns = (settings: BudgetSettings) => ({
  name: settings.name,
  selector: settings.selector ?? null,
  group_by: toJson(settings.group_by),
  max_unavailable: settings.max_unavailable ? toJson(settings.max_unavailable) : null,
  min_available: settings.min_available ? toJson(settings.min_available) : null,
});

/** As Postgres takes JSON. */
const toJson = <Value>(value: Value): Value => JSON.stringify(value) as Value;

const fromRow = (row: Pick<Row, Column>): Budget => ({
  id: row.id,
  name: row.name,
  ...(row.selector !== null && { selector: row.selector }),
  group_by: row.group_by,
  ...(row.max_unavailable && { max_unavailable: row.max_unavailable }),
  ...(row.min_available && { min_available: row.min_available }),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
