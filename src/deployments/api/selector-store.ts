import type { Knex } from 'knex';
import { isId, newId } from '../../kernel/ids.ts';
import { insertRow } from '../../platform/db/insert.ts';

/** Selectors that deployments were made for, each text once. They are never changed. */
export function selectorStore(db: Knex) {
  return {
    async has(orgId: string, id: string): Promise<boolean> {
      return isId(id) && (await db('selectors').select('id').where({ org_id: orgId, id }).first()) !== undefined;
    },

    /** The text of a selector that is stored. */
    async textOf(orgId: string, id: string): Promise<string> {
      const { text } = (await db('selectors').select('text').where({ org_id: orgId, id }).first()) as { text: string };
      return text;
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
