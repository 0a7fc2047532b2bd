import type { Knex } from 'knex';
import type { Walk } from './model.ts';

/** Rows of one statement: it takes far less than a second, and holds no lock for longer. */
const rowsAtATime = 2_000;
/** Rows looked at by one statement. */
const walkedAtATime = 20_000;

const counted = `counted as (
  update erasures set removed = jsonb_set(removed, array[:table], to_jsonb(coalesce((removed ->> :table)::bigint, 0) + (select count(*) from gone)))
   where id = :erasureId and exists (select from gone)
)`;

/** Removes rows in small transactions, each of which also counts them: an erasure that is killed continues where it was. */
export function rowRemover(db: Knex, erasureId: string) {
  /** The table, or its partitions. */
  async function partsOf(table: string): Promise<string[]> {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select c.relname as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
          and (c.relname = :table or c.oid in (select inhrelid from pg_inherits where inhparent = :table::regclass))
        order by c.relname`,
      { table },
    );
    return rows.map(({ name }) => name);
  }

  return {
    /** `where`: SQL with names of `bindings`. Returns the number of rows. */
    async remove(table: string, where: string, bindings: Record<string, string>): Promise<number> {
      let removed = 0;
      for (const part of await partsOf(table))
        for (let hasMore = true; hasMore;) {
          const { found, gone } = await removeSome(part, { table, where, bindings });
          hasMore = found === rowsAtATime || gone < found; // one that was changed meanwhile is found, and stays
          removed += gone;
        }
      return removed;
    },

    /** Walks through all rows of the org, for tables without an index by robot. Returns the number of rows removed. */
    async walk({ table, key }: Walk, orgId: string, robotId: string): Promise<number> {
      const names = key.map(({ name }) => name).join(', ');
      const isAfter = `(${names}) > (${key.map(({ name, type }) => `:${name}::${type}`).join(', ')})`;
      let removed = 0;
      let after: Record<string, unknown> | null = null;
      for (let isFirst = true; isFirst || after !== null; isFirst = false) {
        const { rows }: { rows: [{ last: Record<string, unknown> | null; removed: number }] } = await db.raw(
          `with page as materialized (
             select ${names}, robot_id from :table: where org_id = :orgId ${after === null ? '' : `and ${isAfter}`} order by ${names} limit ${walkedAtATime}
           ), gone as (
             delete from :table: where org_id = :orgId and (${names}) in (select ${names} from page where robot_id = :robotId) returning 1
           ), ${counted}
           select (select jsonb_build_object(${key.map(({ name }) => `'${name}', ${name}`).join(', ')}) from page
                    order by ${key.map(({ name }) => `${name} desc`).join(', ')} limit 1) as last,
                  (select count(*) from gone) as removed`,
          { ...(after ?? {}), orgId, robotId, erasureId, table },
        );
        after = rows[0].last;
        removed += rows[0].removed;
      }
      return removed;
    },

    /** Counts what is not a row, such as objects. */
    async note(table: string, count: number): Promise<void> {
      await db.raw(`with gone as (select generate_series(1, :count::int)), ${counted} select 1`, {
        table,
        erasureId,
        count,
      });
    },
  };

  async function removeSome(
    part: string,
    { table, where, bindings }: { table: string; where: string; bindings: Record<string, string> },
  ): Promise<{ found: number; gone: number }> {
    // Waits for rows that others change, at most for `lock_timeout`: without these, no row found is no proof.
    const { rows } = await db.raw<{ rows: [{ found: number; gone: number }] }>(
      `with found as materialized (
         select ctid from :part: where ${where} limit ${rowsAtATime} for update
       ), gone as (
         delete from :part: where ctid = any(array(select ctid from found)) returning 1
       ), ${counted}
       select (select count(*) from found) as found, (select count(*) from gone) as gone`,
      { ...bindings, part, table, erasureId },
    );
    return rows[0];
  }
}
