import type { Knex } from 'knex';
import { isId, newId } from '../../kernel/ids.ts';
import { insertRow } from '../../platform/db/insert.ts';

/** Selectors that deployments were made for, each text once. They are never changed. */
export function selectorStore(db: Knex) {
  return {
    /** Undefined if the org has no such selector. */
    async findText(orgId: string, id: string): Promise<string | undefined> {
      if (!isId(id)) return undefined;
      const row = await db('selectors').where({ org_id: orgId, id }).first<{ text: string } | undefined>('text');
      return row?.text;
    },

    /** The ID of the selector with this text, in its normal form. Undefined if the org has none. */
    async findId(orgId: string, text: string): Promise<string | undefined> {
      const row = await db('selectors').where({ org_id: orgId, text }).first<{ id: string } | undefined>('id');
      return row?.id;
    },

    /** The ID of the selector with this text, in its normal form; a new one if there is none. */
    async keep(orgId: string, text: string): Promise<string> {
      const row = { org_id: orgId, id: newId(), text };
      await insertRow(db, 'selectors', row, { unlessKnown: ['org_id', 'text'] });
      // Another transaction may have inserted it first.
      const { id } = (await db('selectors').select('id').where({ org_id: orgId, text }).first()) as { id: string };
      return id;
    },
  };
}
