import type { Knex } from 'knex';
import { badRequest } from '../kernel/errors.ts';
import { isReserved, type ReservedKey, type Requirement, type Selector } from '../kernel/label-selector.ts';
import { textArray } from '../platform/db/arrays.ts';

/** Gives the placeholder of a value in the statement. */
type Bind = (value: string) => string;

/** The name of the robot's row, and its org. */
interface Place {
  row: string;
  orgId: string;
}

/** Of the last hello, by their columns in `robot_links`. */
const capabilities = {
  orders: 'l.takes_orders',
  shell: 'l.opens_shells',
  cameras: "l.cameras <> '[]'",
  topics: 'l.has_topics',
  signed_only: 'l.signed_only',
  gates: 'l.asks_gates',
  windows: 'l.keeps_windows',
} as const;

/**
 * Whether a robot matches the selector, as one SQL condition. Tables with a row per robot are in `exists`, which
 * Postgres joins: `not in` of a set that it does not hash ran into the statement timeout at 100,000 robots.
 */
export const selectorSql = (selector: Selector, place: Place, bind: Bind): string =>
  `(${selector.map((requirement) => requirementSql(requirement, place, bind)).join(' and ')})`;

function requirementSql({ key, operator, values }: Requirement, place: Place, bind: Bind): string {
  const hasAny = isReserved(key)
    ? factSql(key, values.length === 0 ? undefined : bind(textArray(values)), place, bind)
    : labelSql(key, values, place.row, bind);
  return operator === 'in' || operator === 'exists' ? hasAny : `not ${hasAny}`;
}

/** With one of these values, or with any if there are none. Each value alone can be found by the index of labels. */
const labelSql = (key: string, values: readonly string[], row: string, bind: Bind): string =>
  values.length === 0
    ? `jsonb_exists(${row}.labels, ${bind(key)}::text)`
    : `(${values.map((value) => `${row}.labels @> ${bind(JSON.stringify({ [key]: value }))}::jsonb`).join(' or ')})`;

/** `values`: SQL of the wanted ones, as texts; undefined: any. */
function factSql(key: ReservedKey, values: string | undefined, { row, orgId }: Place, bind: Bind): string {
  switch (key) {
    case '@site':
    case '@fleet':
      return `${row}.${key.slice(1)}_id in (${placesSql[key](bind(orgId), values)})`;
    case '@release':
      return `exists (select from robot_reports p where p.org_id = ${row}.org_id and p.robot_id = ${row}.id and exists (
        select from jsonb_each(p.releases) e
         where ${isAmong("e.value ->> 'tag'", values)} or ${isAmong("e.key || '/' || (e.value ->> 'tag')", values)}))`;
    case '@condition':
      return `exists (select from robot_status s where s.org_id = ${row}.org_id and s.robot_id = ${row}.id and exists (
        select from jsonb_array_elements(s.conditions) c
         where ${isAmong("c ->> 'rule_id'", values)} or ${isNamed("c ->> 'name'", values)}))`;
    case '@capability':
      return `exists (select from robot_links l where l.org_id = ${row}.org_id and l.robot_id = ${row}.id and (${Object.entries(
        capabilities,
      )
        .map(([name, has]) => `${has} and ${isAmong(`'${name}'`, values)}`)
        .join(' or ')}))`;
  }
}

const isAmong = (text: string, values: string | undefined) =>
  values === undefined ? 'true' : `${text} = any(${values}::text[])`;
const isNamed = (text: string, values: string | undefined) =>
  values === undefined
    ? 'true'
    : `name_key(${text}) = any(array(select name_key(v) from unnest(${values}::text[]) as v))`;

/** Sites and fleets by ID or name; a fleet also as `Osaka/pickers`, since several sites can have fleets of one name. */
const placesSql = {
  '@site': (org: string, values: string | undefined) =>
    `select s.id from sites s where s.org_id = ${org} and (${isAmong('s.id::text', values)} or ${isNamed('s.name', values)})`,
  '@fleet': (org: string, values: string | undefined) =>
    `select f.id from fleets f join sites s on s.org_id = f.org_id and s.id = f.site_id
      where f.org_id = ${org} and (${isAmong('f.id::text', values)} or ${isNamed('f.name', values)} or ${isNamed("s.name || '/' || f.name", values)})`,
} as const;

/** The IDs of the sites or fleets that have one of these names; needs `orgId` and `values`. */
export const placeIdsSql = (key: keyof typeof placesSql): string => placesSql[key](':orgId', ':values');

/**
 * What a selector names that does not exist, as in `site "Oskaa" not found`; undefined if all of it does. Releases and
 * conditions come later than selectors, so they are not looked up.
 */
export async function findMissingName(db: Knex, orgId: string, selector: Selector): Promise<string | undefined> {
  for (const { key, values } of selector)
    if (key === '@capability') {
      const unknown = values.find((value) => !Object.hasOwn(capabilities, value));
      if (unknown !== undefined) return `unknown capability "${unknown}"; use ${Object.keys(capabilities).join(', ')}`;
    } else if (key === '@site' || key === '@fleet') {
      const { rows } = await db.raw<{ rows: { value: string }[] }>(
        `select wanted.value from unnest(:values::text[]) with ordinality as wanted (value, n)
          where not exists (${placesSql[key](':orgId', 'array[wanted.value]')}) order by n limit 1`,
        { orgId, values: textArray(values) },
      );
      const [missing] = rows;
      if (missing) return `${key.slice(1)} "${missing.value}" not found`;
    }
  return undefined;
}

/**
 * Refuses a selector that names a site, fleet or capability that does not exist: it is mistyped, or older than a change.
 * @throws bad_request, naming `field`
 */
export async function checkNames(db: Knex, orgId: string, field: string, selector: Selector): Promise<void> {
  const missing = await findMissingName(db, orgId, selector);
  if (missing !== undefined) throw badRequest(`${field}: ${missing}`);
}
