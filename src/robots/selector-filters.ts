import type { Knex } from 'knex';
import type { Requirement, Selector } from '../kernel/label-selector.ts';
import { isReserved } from '../kernel/label-selector.ts';
import { plainArray, textArray } from '../platform/db/arrays.ts';
import { placeIdsSql, selectorSql } from './selector-sql.ts';

export type Condition = (bind: (value: unknown) => string) => string;

/**
 * The conditions of a selector on a list. Names are looked up first: the planner knows how many robots are in these fleets
 * or have these releases, but not how many are in fleets of some name.
 */
export const selectorConditions = (db: Knex, orgId: string, selector: Selector): Promise<Condition[]> =>
  Promise.all(selector.map((requirement) => conditionOf(db, orgId, requirement)));

async function conditionOf(db: Knex, orgId: string, requirement: Requirement): Promise<Condition> {
  const { key, operator, values } = requirement;
  if ((key === '@site' || key === '@fleet') && values.length > 0) {
    const ids = await findPlaces(db, orgId, key, values);
    const compared = operator === 'in' ? '= any' : '<> all';
    return (bind) => `${key.slice(1)}_id ${compared}(${bind(plainArray(ids))}::uuid[])`;
  }
  if (key === '@release' && operator === 'in') {
    const found = await findReleases(db, orgId, values);
    return (bind) =>
      `id in (select robot_id from robot_reports where org_id = ${bind(orgId)} and (${
        found.map((report) => `releases @> ${bind(report)}::jsonb`).join(' or ') || 'false'
      }))`;
  }
  if (operator === 'exists' && !isReserved(key)) return (bind) => `label_keys(labels) @> array[${bind(key)}::text]`;
  return (bind) => selectorSql([requirement], { row: 'robots_now', orgId }, bind);
}

async function findPlaces(db: Knex, orgId: string, key: '@site' | '@fleet', values: string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(placeIdsSql(key), { orgId, values: textArray(values) });
  return rows.map(({ id }) => id);
}

/** What robots report that run a release with one of these tags, each written as `nav-1.8.2` or `file/nav-1.8.2`. Releases are never deleted. */
async function findReleases(db: Knex, orgId: string, tags: string[]): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { kind: string; id: string }[] }>(
    `select kind, id from releases
      where org_id = :orgId and (tag = any(:tags::text[]) or kind || '/' || tag = any(:tags::text[]))`,
    { orgId, tags: textArray(tags) },
  );
  return rows.map(({ kind, id }) => JSON.stringify({ [kind]: { release_id: id } }));
}
