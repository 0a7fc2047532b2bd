import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Rollout } from './rollout.ts';

export interface RolloutPolicy {
  id: string;
  name: string;
  rollout: Rollout;
  createdAt: Date;
  updatedAt: Date;
}

/** What a caller can change. */
export type PolicySettings = Pick<RolloutPolicy, 'name' | 'rollout'>;
export type PolicyChange = { [Name in keyof PolicySettings]?: PolicySettings[Name] | undefined };

interface Row {
  org_id: string;
  id: string;
  name: string;
  rollout: Rollout;
  created_at: Date;
  updated_at: Date;
}

const columns = ['id', 'name', 'rollout', 'created_at', 'updated_at'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function policyStore(db: Knex) {
  return {
    async create(orgId: string, settings: PolicySettings): Promise<RolloutPolicy> {
      const row = { org_id: orgId, id: newId(), ...toColumns(settings) };
      const { rows } = await insertRow<Row>(db, 'rollout_policies', row, { returning: columns });
      return fromRow(rows[0] as Row); // an insert without conflict returns its row
    },

    list: (orgId: string, page: Page): Promise<JsonRows<Column>> =>
      readPage(db, { table: 'rollout_policies', columns }, { org_id: orgId }, page),

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<RolloutPolicy | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('rollout_policies').select(columns).where({ org_id: orgId, id });
      const row = await (lock ? query.forUpdate() : query).first();
      return row && fromRow(row);
    },

    async count(orgId: string): Promise<number> {
      const [row] = await db('rollout_policies').where({ org_id: orgId }).count<{ count: number }[]>();
      return row?.count ?? 0;
    },

    async update(orgId: string, id: string, change: PolicyChange): Promise<RolloutPolicy | undefined> {
      const [row] = await db<Row>('rollout_policies')
        .where({ org_id: orgId, id })
        .update({ ...definedOnly(toColumns(change)), updated_at: db.fn.now() as unknown as Date })
        .returning(columns);
      return row && fromRow(row);
    },

    async delete(orgId: string, id: string): Promise<void> {
      await db<Row>('rollout_policies').where({ org_id: orgId, id }).delete();
    },
  };
}

const toColumns = ({ name, rollout }: PolicyChange) => ({
  name,
  rollout: rollout && (JSON.stringify(rollout) as unknown as Rollout),
});

const fromRow = (row: Pick<Row, Column>): RolloutPolicy => ({
  id: row.id,
  name: row.name,
  rollout: row.rollout,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
