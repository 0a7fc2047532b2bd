import type { Knex } from 'knex';
import { disruptionBudgetService } from '../../../disruption-budgets/service.ts';
import { conflict } from '../../../kernel/errors.ts';
import { plainArray } from '../../../platform/db/arrays.ts';
import type { TargetRobots } from '../rollouts/read-waves.ts';
import { readGroups, type BudgetGroup } from './ledger.ts';

/** A group that a deployment to a target would disturb. */
export interface TouchedGroup extends BudgetGroup {
  text: string | undefined; // for people; undefined if the budget counts all its robots together
}

/** The groups that have robots of a target; those first that leave room for the fewest robots. */
export async function readTouchedGroups(db: Knex, target: TargetRobots): Promise<TouchedGroup[]> {
  const { orgId } = target;
  const groups = await readGroups(db, orgId, await disruptionBudgetService(db).all(orgId), target);
  const touched = groups.filter(({ robots }) => robots > 0);
  const names = await readPlaceNames(db, orgId, touched.flatMap(placesOf));
  return touched
    .map((group) => ({ ...group, text: textOf(group, names) }))
    .sort((one, other) => one.allowed - one.unavailable - (other.allowed - other.unavailable));
}

/**
 * Refuses a deployment that would wait until somebody changes a budget.
 * @throws conflict
 */
export function refuseNoRoom(groups: readonly TouchedGroup[]): void {
  const full = groups.find(({ allowed }) => allowed === 0);
  if (!full) return;
  if (full.budget.missing !== undefined)
    throw conflict(
      `no_room: budget "${full.budget.name}" holds all robots: ${full.budget.missing}; correct its selector`,
    );
  const robot = full.text === undefined ? 'a robot' : `a robot of the group ${full.text}`;
  throw conflict(
    `no_room: budget "${full.budget.name}" never lets ${robot} be unavailable; change the budget or the target`,
  );
}

/** What the robots of a group have in common: a value, null for robots without the label, for each key of the budget. */
function partsOf({ budget, key }: BudgetGroup): [key: string, value: string | null][] {
  const values = JSON.parse(key) as (string | null)[];
  return budget.group_by.map((each, index) => [each, values[index] ?? null]);
}

const placesOf = (group: BudgetGroup): string[] =>
  partsOf(group).flatMap(([key, value]) => (key.startsWith('@') && value !== null ? [value] : []));

function textOf(group: BudgetGroup, names: ReadonlyMap<string, string>): string | undefined {
  const parts = partsOf(group).map(([key, value]) => {
    if (value === null) return `!${key}`;
    return key.startsWith('@') ? (names.get(value) ?? value) : `${key}=${value}`;
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** The names of sites, and of fleets with their sites, by ID. */
async function readPlaceNames(db: Knex, orgId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
    `select id, name from sites where org_id = :orgId and id = any(:ids::uuid[]) union all
     select f.id, s.name || '/' || f.name from fleets f join sites s on s.org_id = f.org_id and s.id = f.site_id
      where f.org_id = :orgId and f.id = any(:ids::uuid[])`,
    { orgId, ids: plainArray([...new Set(ids)]) },
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
