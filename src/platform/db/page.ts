import type { Knex } from 'knex';
import type { Page } from '../../kernel/page.ts';

/** Reads a list in its order, from where the page begins: a keyset, so a deep page costs what the first one costs. */
export function inOrder<Query extends Knex.QueryBuilder>(query: Query, { after, limit }: Page): Query {
  if (after) void query.whereRaw('(created_at, id) > (?, ?)', [after.createdAt, after.id]);
  return query.orderBy([{ column: 'created_at' }, { column: 'id' }]).limit(limit) as Query;
}
