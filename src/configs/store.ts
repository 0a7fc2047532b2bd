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
const bytes = 'octet_length(value)';

/** A set after the deletion has made a newer revision, which restores the entry. */
const deleted = 'deleted_revision = revision';
const notDeleted = 'deleted_revision is distinct from revision';
const deletedAt = `case when ${deleted} then deleted_at end`;

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

    /**
     * The entry with its newest value, also if it is deleted. Until the transaction ends, it is neither set nor deleted.
     */
    async hold(orgId: string, id: string): Promise<{ config: Config; isDeleted: boolean } | undefined> {
      if (!isId(id)) return undefined;
      const row = await db<Row>('configs')
        .select(...columns, db.raw(`coalesce(${deleted}, false) as is_deleted`))
        .where({ org_id: orgId, id })
        .forShare()
        .first<(Pick<Row, Column> & { is_deleted: boolean }) | undefined>();
      return row && { config: fromRow(row), isDeleted: row.is_deleted };
    },

    /** The value of a revision, as JSON text. */
    async findValue(orgId: string, id: string, revision: number): Promise<string | undefined> {
      const row = await db('config_revisions')
        .where({ org_id: orgId, config_id: id, revision })
        .first<{ value: string } | undefined>('value');
      return row?.value;
    },

    /**
     * Deletes an entry, and returns it as it was. Its deployments so far have a lower rank than its deletion, so new
     * robots do not get them. Undefined if there is none, or if it is deleted already.
     */
    async delete(orgId: string, id: string): Promise<Config | undefined> {
      if (!isId(id)) return undefined;
      const { rows } = await db.raw<{ rows: Row[] }>(
        `update configs set deleted_revision = revision, deleted_at = now(), deleted_rank = nextval('deployment_rank')
          where org_id = :orgId and id = :id and ${notDeleted} returning ${columns.join(', ')}`,
        { orgId, id },
      );
      return rows[0] && fromRow(rows[0]);
    },

    list: (
      orgId: string,
      { namespace, key, isDeleted = false }: ConfigFilter,
      page: Page,
    ): Promise<JsonRows<Column | 'deleted_at'>> =>
      readPage(
        db,
        {
          table: 'configs',
          columns: plain,
          computed: { ...computed, deleted_at: deletedAt },
          only: isDeleted ? deleted : notDeleted,
          bytes,
        },
        { org_id: orgId, namespace, key },
        page,
      ),

    /** In the order of the revisions. */
    async listRevisions(orgId: string, configId: string, page: Page): Promise<JsonRows<RevisionColumn | 'value'>> {
      if (!isId(configId)) return noRows;
      return readPage(
        db,
        {
          table: 'config_revisions',
          columns: revisionColumns,
          computed,
          bytes,
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
