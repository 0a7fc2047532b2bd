import type { Knex } from 'knex';

/**
 * A history whose entries are numbered after their commit: a number taken in the transaction could be committed after a higher one, and a
 * reader that follows the numbers would never see it. The table has org_id, id, at and seq; `series` is the column whose values have numbers
 * of their own, within an org.
 */
interface NumberedTable {
  name: string;
  series: string;
}

/** Rows that are numbered at a time. */
const sealBatch = 5_000;
/** Orgs that are looked up at a time. */
const orgBatch = 1_000;

/** Numbers what is committed and has no number yet, of one series or of all. One writer at a time for each org, whatever the replica. */
export async function sealNumbers(db: Knex, table: NumberedTable, orgId: string, seriesId?: string): Promise<void> {
  const { name, series } = table;
  const one = seriesId === undefined ? '' : `and ${series} = :seriesId`;
  const bindings = { orgId, sealBatch, lock: `${name} ${orgId}`, ...(seriesId === undefined ? {} : { seriesId }) };
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select 1 from ${name} where org_id = :orgId ${one} and seq is null limit 1`,
    bindings,
  );
  if (rows.length === 0) return;
  for (let sealed = sealBatch; sealed === sealBatch;)
    sealed = await db.transaction<number>(async (trx) => {
      await trx.raw("set local lock_timeout = '9s'"); // others that seal this org go first; the statement limit ends it
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(:lock, 0))', bindings);
      const result = await trx.raw<{ rowCount: number }>(
        `with batch as (
           select id, ${series} as series, at from ${name}
            where org_id = :orgId ${one} and seq is null order by ${series}, at, id limit :sealBatch
         ), waiting as (
           select id, series, row_number() over (partition by series order by at, id) as n from batch
         ), last as (
           select series, (select coalesce(max(seq), 0) from ${name} where org_id = :orgId and ${series} = series) as seq
             from (select distinct series from batch) as found
         )
         update ${name} set seq = last.seq + waiting.n from waiting join last using (series)
          where ${name}.org_id = :orgId and ${name}.${series} = waiting.series and ${name}.id = waiting.id`,
        bindings,
      );
      return result.rowCount;
    });
}

/** Numbers the entries that nobody reads, of some orgs; what is left is for the next call. */
export async function sealAllNumbers(db: Knex, table: NumberedTable): Promise<void> {
  const orgs = db(table.name).distinct('org_id').whereNull('seq').limit(orgBatch);
  for (const orgId of await orgs.pluck<string[]>('org_id')) await sealNumbers(db, table, orgId);
}
