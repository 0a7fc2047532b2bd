import type { Knex } from 'knex';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { noRows, type JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { Config, ConfigFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  namespace: string;
  key: string;
  value: string;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

const plain = ['id', 'namespace', 'key', 'revision', 'created_at', 'updated_at'] as const satisfies (keyof Row)[];
const columns = [...plain, 'value'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

const revisionColumns = ['config_id', 'revision', 'created_at'] as const;
type RevisionColumn = (typeof revisionColumns)[number];

/** JSON is stored as text, as its bytes are hashed, and is returned unchanged. */
const computed = { value: 'value::json' };

export function configStore(db: Knex) {
  return {
    /**
     * Sets a key and stores the value as its next revision. Concurrent sets of one key wait: the row is locked until
     * the transaction ends.
     */
    async set(orgId: string, { namespace, key, value }: Pick<Config, 'namespace' | 'key' | 'value'>): Promise<Config> {
      const { rows } = await db.raw<{ rows: Row[] }>(
        `with entry as (
           insert into configs (org_id, id, namespace, key, revision, value) values (:orgId, :id, :namespace, :key, 1, :value)
           on conflict (org_id, namespace, key)
             do update set revision = configs.revision + 1, value = excluded.value, updated_at = now()
           returning ${columns.join(', ')}
         ), kept as (
           insert into config_revisions (org_id, config_id, revision, id, value)
             select :orgId, id, revision, :revisionId, value from entry
         )
         select * from entry`,
        { orgId, id: newId(), namespace, key, value, revisionId: newId() },
      );
      return fromRow(rows[0] as Row); // an upsert returns its row
    },

    async find(orgId: string, id: string): Promise<Config | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('configs').select(columns).where({ org_id: orgId, id }).first();
      return row && fromRow(row);
    },

    list: (orgId: string, { namespace, key }: ConfigFilter, page: Page): Promise<JsonRows<Column>> =>
      readPage(db, { table: 'configs', columns: plain, computed }, { org_id: orgId, namespace, key }, page),

    /** In the order of the revisions. */
    async listRevisions(orgId: string, configId: string, page: Page): Promise<JsonRows<RevisionColumn | 'value'>> {
      if (!isId(configId)) return noRows;
      return readPage(
        db,
        {
          table: 'config_revisions',
          columns: revisionColumns,
          computed,
          order: { column: 'revision', holds: 'number' },
        },
        { org_id: orgId, config_id: configId },
        page,
      );
    },
  };
}

const fromRow = (row: Pick<Row, Column>): Config => ({
  id: row.id,
  namespace: row.namespace,
  key: row.key,
  value: row.value,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
