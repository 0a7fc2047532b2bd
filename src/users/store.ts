import type { Knex } from 'knex';
import type { Role } from '../kernel/caller.ts';
import { normalEmail } from '../kernel/emails.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { insertRow } from '../platform/db/insert.ts';
import type { JsonRows } from '../platform/db/json-rows.ts';
import { readPage } from '../platform/db/page.ts';
import type { User, UserChange, UserFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: Date;
}

const columns = ['id', 'email', 'name', 'role', 'created_at'] as const satisfies (keyof Row)[];
type Column = (typeof columns)[number];

export function userStore(db: Knex) {
  return {
    /** Undefined if the org already has a user with this address. */
    async create(
      orgId: string,
      { email, name, role }: Pick<User, 'email' | 'role'> & { name?: string | undefined },
    ): Promise<User | undefined> {
      const { rows } = await insertRow<Row>(
        db,
        'users',
        { org_id: orgId, id: newId(), email: normalEmail(email), name, role },
        { returning: columns, unlessKnown: ['org_id', 'email'] },
      );
      return rows[0] && fromRow(rows[0]);
    },

    /** With `lock`, locks the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<User | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('users').select(columns).where({ org_id: orgId, id }).first();
      const row = await (lock ? query.forUpdate() : query);
      return row && fromRow(row);
    },

    list(orgId: string, { email }: UserFilter, page: Page): Promise<JsonRows<Column>> {
      const filter = { org_id: orgId, email: email === undefined ? undefined : normalEmail(email) };
      return readPage(db, { table: 'users', columns }, filter, page);
    },

    async update(orgId: string, id: string, change: UserChange): Promise<User | undefined> {
      const [row] = await db<Row>('users').where({ org_id: orgId, id }).update(definedOnly(change)).returning(columns);
      return row && fromRow(row);
    },

    /** Deletes the user and, by the foreign key, the user's tokens. */
    async delete(orgId: string, id: string): Promise<void> {
      await db('users').where({ org_id: orgId, id }).delete();
    },
  };
}

const fromRow = (row: Pick<Row, Column>): User => ({
  id: row.id,
  email: row.email,
  name: row.name ?? undefined,
  role: row.role,
  createdAt: row.created_at,
});
