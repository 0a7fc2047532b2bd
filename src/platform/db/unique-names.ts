import type { Knex } from 'knex';
import { conflict } from '../../kernel/errors.ts';

/*
 * Names that are unique without case (migration 0018). The column `name_key` holds what is compared. The unique index
 * decides, not a read before the write: two writers can both pass a read.
 */

const named = {
  site: { table: 'sites', index: 'sites_name_taken' },
  fleet: { table: 'fleets', index: 'fleets_name_taken' },
  robot: { table: 'robots', index: 'robots_name_taken' },
} as const;
type NamedKind = keyof typeof named;

/** Of a list's filter: the name without case (`readPage`). */
export const nameMatch = { name: 'name_key = name_key($)' } as const;

/** Whether a statement failed because the name is taken. */
export const isNameTaken = (error: unknown, kind: NamedKind): boolean => {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === named[kind].index;
};

/**
 * Writes one row with a name. Needs a transaction, which goes on after a failure. `within`: the columns in which the
 * name is unique, with their values.
 * @throws conflict with the current holder of the name
 */
export async function writeNamed<T>(
  trx: Knex,
  kind: NamedKind,
  { name, within }: { name: string; within: Readonly<Record<string, string>> },
  write: () => PromiseLike<T>,
): Promise<T> {
  for (;;) {
    await trx.raw('savepoint before_name');
    try {
      return await write();
    } catch (error) {
      if (!isNameTaken(error, kind)) throw error;
      await trx.raw('rollback to savepoint before_name');
      const holder = await trx<{ id: string; name: string }>(named[kind].table)
        .select('id', 'name')
        .where(within)
        .whereRaw('name_key = name_key(?)', [name])
        .first();
      if (holder) throw conflict(`${kind} name "${holder.name}" is taken by ${kind} ${holder.id}; choose another name`);
      // The holder was deleted or renamed since: the name is free.
    }
  }
}
