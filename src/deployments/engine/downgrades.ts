import type { Knex } from 'knex';
import { conflict } from '../../kernel/errors.ts';
import type { Release } from '../../releases/service.ts';
import type { TargetRobots } from './rollouts/read-waves.ts';

/*
 * A downgrade: by its last report, a robot runs a release of the same kind that was created after the one it is to get.
 * With a drift, something else runs; if no release has it, nothing is known to be newer.
 */

/** ID of the release of this kind that runs. `reports`: the row of `robot_reports`; `kind`: SQL. */
const runningId = (reports: string, kind: string): string => {
  const report = `${reports}.releases -> ${kind}`;
  return `(case when ${report} -> 'drift' is null then ${report} ->> 'release_id' else ${report} -> 'drift' ->> 'running_release_id' end)::uuid`;
};

/** Order of creation: two releases can have the same time. */
const isNewer = (release: string, than: string): string =>
  `(${release}.created_at, ${release}.id) > (${than}.created_at, ${than}.id)`;

/** Whether the deployment or plan `of` is a downgrade for a robot with these reports. */
export const isDowngrade = (of: string, reports: string): string =>
  `(${of}.release_id is not null and exists (
     select from releases newer join releases planned on planned.org_id = newer.org_id and planned.id = ${of}.release_id
      where newer.org_id = ${of}.org_id and newer.id = ${runningId(reports, `substr(${of}.lane, 9)`)} and ${isNewer('newer', 'planned')} offset 0))`;

/** Robots that a message names. */
const maxNamed = 3;

/**
 * Refuses a deployment of a release to robots that run a newer one. Nothing is read of the robots if the org has no newer one of the kind.
 * @throws conflict
 */
export async function refuseDowngrade(
  db: Knex,
  { orgId, isTarget, bindings }: TargetRobots,
  { id, tag, kind }: Pick<Release, 'id' | 'tag' | 'kind'>,
  hint: string,
): Promise<void> {
  const { rows } = await db.raw<{ rows: { name: string; tag: string; total: number }[] }>(
    `with newer as materialized (
       select newer.id, newer.tag from releases newer join releases planned on planned.org_id = newer.org_id and planned.id = :releaseId
        where newer.org_id = :orgId and newer.kind = :kind and ${isNewer('newer', 'planned')})
     select r.name, newer.tag, (count(*) over ())::int as total
       from robots r join robot_reports q on q.org_id = r.org_id and q.robot_id = r.id
       join newer on newer.id = ${runningId('q', ':kind')}
      where exists (select from newer) and r.org_id = :orgId and ${isTarget} and r.retired_at is null
      order by r.name, r.id limit ${maxNamed}`,
    { ...bindings.values, orgId, releaseId: id, kind },
  );
  const [first] = rows;
  if (!first) return;
  const { total } = first;
  const named = rows.map((each) => `${each.name} (${each.tag})`).join(', ');
  const others = total > rows.length ? ` and ${total - rows.length} more` : '';
  throw conflict(
    `downgrade: ${total} ${total === 1 ? 'robot runs' : 'robots run'} a newer release than ${tag}: ${named}${others}; ${hint}`,
  );
}
