import type { Knex } from 'knex';
import type { Page } from '../../kernel/page.ts';

/** Reads a list in its order, from where the page begins: a keyset, so a deep page costs what the first one costs. */
export function inOrder<Query extends Knex.QueryBuilder>(query: Query, { after, limit }: Page): Query {
  if (after) void query.whereRaw('(created_at, id) > (?, ?)', [after.createdAt, after.id]);
  return query.orderBy([{ column: 'created_at' }, { column: 'id' }]).limit(limit) as Query;
}

/** The columns of a filter or a change that the caller set. */
export function set<T extends object>(columns: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
