import type { Knex } from 'knex';
import type { Requirement, Selector } from '../kernel/label-selector.ts';
import { isReserved } from '../kernel/label-selector.ts';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { releaseCondition, type Condition } from './release-condition.ts';
import { placeIdsSql, selectorSql } from './selector-sql.ts';

/**
 * The conditions of a selector on a list. Names are looked up first: the planner knows how many robots are in these fleets
 * or have these releases, but not how many are in fleets of some name. One after another, as each look-up takes a connection.
 */
export async function selectorConditions(db: Knex, orgId: string, selector: Selector): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const requirement of selector) conditions.push(await conditionOf(db, orgId, requirement));
  return conditions;
}

async function conditionOf(db: Knex, orgId: string, requirement: Requirement): Promise<Condition> {
  const { key, operator, values } = requirement;
  if ((key === '@site' || key === '@fleet') && values.length > 0) {
    const ids = await findPlaces(db, orgId, key, values);
    const compared = operator === 'in' ? '= any' : '<> all';
    return (bind) => `${key.slice(1)}_id ${compared}(${bind(plainArray(ids))}::uuid[])`;
  }
  if (key === '@release' && operator === 'in') return releaseCondition(orgId, await findReleases(db, orgId, values));
  if (operator === 'exists' && !isReserved(key)) return (bind) => `label_keys(labels) @> array[${bind(key)}::text]`;
  return (bind) => selectorSql([requirement], { row: 'robots_now', orgId }, bind);
}

async function findPlaces(db: Knex, orgId: string, key: '@site' | '@fleet', values: string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(placeIdsSql(key), { orgId, values: textArray(values) });
  return rows.map(({ id }) => id);
}

/** The releases with one of these tags, each written as `nav-1.8.2` or `file/nav-1.8.2`. */
async function findReleases(db: Knex, orgId: string, tags: string[]): Promise<{ kind: string; id: string }[]> {
  const { rows } = await db.raw<{ rows: { kind: string; id: string }[] }>(
    `select kind, id from releases
      where org_id = :orgId and (tag = any(:tags::text[]) or kind || '/' || tag = any(:tags::text[]))`,
    { orgId, tags: textArray(tags) },
  );
  return rows;
}
