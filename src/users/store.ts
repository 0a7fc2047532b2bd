import type { Knex } from 'knex';
import type { Role } from '../kernel/caller.ts';
import { isId, newId } from '../kernel/ids.ts';
import type { Page } from '../kernel/page.ts';
import { definedOnly } from '../platform/db/columns.ts';
import { inOrder } from '../platform/db/page.ts';
import { normalEmail, type User, type UserChange, type UserFilter } from './model.ts';

interface Row {
  org_id: string;
  id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: Date;
}

const columns: (keyof Row)[] = ['id', 'email', 'name', 'role', 'created_at'];

export function userStore(db: Knex) {
  return {
    /** Undefined when the org has a user of this address already. */
    async create(
      orgId: string,
      { email, name, role }: Pick<User, 'email' | 'role'> & { name?: string | undefined },
    ): Promise<User | undefined> {
      const [row] = await db<Row>('users')
        .insert({ org_id: orgId, id: newId(), email: normalEmail(email), name: name ?? null, role })
        .onConflict(['org_id', 'email'])
        .ignore()
        .returning(columns);
      return row && fromRow(row);
    },

    /** With `lock`, holds the row until the transaction ends. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<User | undefined> {
      if (!isId(id)) return undefined;
      const query = db<Row>('users').select(columns).where({ org_id: orgId, id }).first();
      const row = await (lock ? query.forUpdate() : query);
      return row && fromRow(row);
    },

    async list(orgId: string, { email }: UserFilter, page: Page): Promise<User[]> {
      const filter = definedOnly({ org_id: orgId, email: email === undefined ? undefined : normalEmail(email) });
      const rows = await inOrder(db<Row>('users').select(columns).where(filter), page);
      return rows.map(fromRow);
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

const fromRow = (row: Row): User => ({
  id: row.id,
  email: row.email,
  name: row.name ?? undefined,
  role: row.role,
  createdAt: row.created_at,
});
