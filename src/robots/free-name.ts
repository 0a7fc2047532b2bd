import type { Knex } from 'knex';

/**
 * The name itself, or with a number at its end: `amr-007`, `amr-007-2`. It stays free of other callers of this function
 * until the transaction ends. Numbers are doubled until one is free, and then halved towards the first free one, so the
 * ten-thousandth robot of a name costs 27 lookups. After removals there may be a lower free number.
 */
export async function freeName(trx: Knex, orgId: string, wanted: string): Promise<string> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(? || name_key(?), 0))', [
    `robot name ${orgId} `,
    wanted,
  ]);
  const isTaken = (number: string) =>
    `exists (select from robots where org_id = :orgId and name_key = name_key(numbered_name(:wanted, ${number})))`;
  const { rows } = await trx.raw<{ rows: [{ name: string }] }>(
    `with recursive doubled as (
       select 1 as n, ${isTaken('1')} as is_taken
       union all
       select n * 2, ${isTaken('n * 2')} from doubled where is_taken
     ), halved as (
       select max(n) / 2 as taken, max(n) as free from doubled
       union all
       select case when m.is_taken then m.n else taken end, case when m.is_taken then free else m.n end
         from halved, lateral (select (taken + free) / 2 as n, ${isTaken('(taken + free) / 2')} as is_taken) m
        where free - taken > 1
     )
     select numbered_name(:wanted, min(free)) as name from halved`,
    { orgId, wanted },
  );
  return rows[0].name;
}
