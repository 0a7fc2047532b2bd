import type { Knex } from 'knex';
import { conflict } from '../../kernel/errors.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import type { Release } from '../../releases/service.ts';
import { maxTargets, type TargetRobots } from './rollouts/read-waves.ts';

/*
 * A downgrade: by its last report, a robot runs a release of the same kind that was created after the one it is to get.
 * With a drift, something else runs; if no release has it, nothing is known to be newer.
 */

/** ID of the release of this kind that runs. `reports`: the row of `robot_reports`; `kind`: SQL. */
const runningId = (reports: string, kind: string): string => {
  const report = `${reports}.releases -> ${kind}`;
  return `(case when ${report} -> 'drift' is null then ${report} ->> 'release_id' else ${report} -> 'drift' ->> 'running_release_id' end)::uuid`;
};

/** Created later, as another artifact: two releases can have the same time, and the same artifact is no change. */
const isNewer = (release: string, than: string): string =>
  `((${release}.created_at, ${release}.id) > (${than}.created_at, ${than}.id) and ${release}.artifact_sha256 <> ${than}.artifact_sha256)`;

/** A select of the newer release that a robot with these reports runs; `of`: name of the row of a deployment or plan. */
const newerRelease = (of: string, reports: string): string =>
  `select newer.tag from releases newer join releases planned on planned.org_id = newer.org_id and planned.id = ${of}.release_id
    where newer.org_id = ${of}.org_id and newer.id = ${runningId(reports, `substr(${of}.lane, 9)`)} and ${isNewer('newer', 'planned')} offset 0`;

/** Whether the deployment or plan `of` is a downgrade for a robot with these reports. */
export const isDowngrade = (of: string, reports: string): string =>
  `(${of}.release_id is not null and exists (${newerRelease(of, reports)}))`;

/** Tag of the newer release that the robot keeps, as the deployment `of` may not be a downgrade; else null. `robotId`: SQL. */
export const keptTag = (of: string, robotId: string): string =>
  `case when ${of}.allow_downgrade = false then (
     select kept.tag from robot_reports q cross join lateral (${newerRelease(of, 'q')}) kept
      where q.org_id = ${of}.org_id and q.robot_id = ${robotId}) end`;

/** Whether the org has a newer release of the kind. Without one, no robot of the deployment or plan `of` needs to be read. */
export const hasNewerRelease = (of: string): string =>
  `exists (select from releases newer join releases planned on planned.org_id = newer.org_id and planned.id = ${of}.release_id
     where newer.org_id = ${of}.org_id and newer.kind = planned.kind and ${isNewer('newer', 'planned')})`;

/** Robots that a message names. */
const maxNamed = 3;
/** Robots that a message counts. */
const maxCounted = 100;
/** Releases that are looked up by the index of what robots run. */
const maxLookedUp = 100;
/** Robots that are found by that index. If more run a newer release, the robots of the target are read. */
const maxFound = 1_000;

/** Tags of the newer releases of the kind, by ID. */
async function findNewer(db: Knex, orgId: string, { id, kind }: PlannedRelease): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { id: string; tag: string }[] }>(
    `select newer.id, newer.tag from releases newer join releases planned on planned.org_id = newer.org_id and planned.id = :id
      where newer.org_id = :orgId and newer.kind = :kind and ${isNewer('newer', 'planned')}`,
    { orgId, id, kind },
  );
  return new Map(rows.map((row) => [row.id, row.tag]));
}

/** IDs of the robots of the org that have one of the releases in their report; undefined if many do. */
async function findReported(
  db: Knex,
  orgId: string,
  kind: string,
  releaseIds: readonly string[],
): Promise<string[] | undefined> {
  if (releaseIds.length > maxLookedUp) return undefined;
  const paths = ['release_id', 'drift.running_release_id'].map((path) => `$.${JSON.stringify(kind)}.${path}`);
  // One path for all, so that the index is read once.
  const path = releaseIds.flatMap((id) => paths.map((each) => `${each} == "${id}"`)).join(' || ');
  const { rows } = await db.raw<{ rows: { robot_id: string }[] }>(
    `select robot_id from robot_reports where org_id = :orgId and releases @@ :path::jsonpath limit ${maxFound + 1}`,
    { orgId, path },
  );
  return rows.length > maxFound ? undefined : rows.map((row) => row.robot_id);
}

type PlannedRelease = Pick<Release, 'id' | 'tag' | 'kind'>;

export interface NewerRobot {
  id: string;
  name: string;
  tag: string; // of the newer release that it runs
}

/**
 * Robots of the target that run a newer release, at most `most`, by name. It costs little if the org has no newer one of the
 * kind, or at most 1,000 robots run one; otherwise it reads robots of the target until it has found them.
 */
async function findNewerRobots(
  db: Knex,
  { orgId, isTarget, bindings }: TargetRobots,
  release: PlannedRelease,
  most: number,
): Promise<NewerRobot[]> {
  const { kind } = release;
  const newer = await findNewer(db, orgId, release);
  const releaseIds = [...newer.keys()];
  const reported = newer.size === 0 ? [] : await findReported(db, orgId, kind, releaseIds);
  if (reported?.length === 0) return [];
  const running = runningId('q', ':kind');
  const { rows } = await db.raw<{ rows: { id: string; name: string; release_id: string }[] }>(
    `select * from (
       select r.id, r.name, ${running} as release_id
         from robots r join robot_reports q on q.org_id = r.org_id and q.robot_id = r.id
        where r.org_id = :orgId and ${isTarget} and r.retired_at is null and ${running} = any(:releaseIds::uuid[])
              ${reported ? 'and r.id = any(:reported::uuid[])' : ''}
        limit :most) found
      order by name, id`,
    { ...bindings.values, orgId, kind, most, releaseIds: plainArray(releaseIds), reported: plainArray(reported ?? []) },
  );
  return rows.map((row) => ({ id: row.id, name: row.name, tag: newer.get(row.release_id) ?? '' }));
}

/** Refuses a deployment of a release to robots that run a newer one. @throws conflict */
export async function refuseDowngrade(
  db: Knex,
  target: TargetRobots,
  release: PlannedRelease,
  hint: string,
): Promise<void> {
  const robots = await findNewerRobots(db, target, release, maxCounted + 1);
  if (robots.length > 0) throw conflict(`downgrade: ${newerText(robots, release, maxCounted)}; ${hint}`);
}

/** Robots that run something newer than the release of a deployment that may be no downgrade; undefined: none. */
export async function findKept(
  trx: Knex,
  target: TargetRobots,
  deploymentId: string,
): Promise<{ robots: readonly NewerRobot[]; release: string; text: string } | undefined> {
  const { rows } = await trx.raw<{ rows: PlannedRelease[] }>(
    `select r.id, r.tag, r.kind from deployments d join releases r on r.org_id = d.org_id and r.id = d.release_id
      where d.org_id = :orgId and d.id = :deploymentId and d.allow_downgrade = false`,
    { orgId: target.orgId, deploymentId },
  );
  const [release] = rows;
  const robots = release ? await findNewerRobots(trx, target, release, maxTargets) : [];
  return release && robots.length > 0 ? { robots, release: release.tag, text: newerText(robots, release) } : undefined;
}

/** `3 robots run a newer release than r1: amr-1 (r2), amr-2 (r2), amr-3 (r2)`. More than `most` are not counted. */
function newerText(robots: readonly NewerRobot[], { tag }: PlannedRelease, most = Infinity): string {
  const { length: count } = robots;
  const names = robots
    .slice(0, maxNamed)
    .map((robot) => `${robot.name} (${robot.tag})`)
    .join(', ');
  if (count > most) return `more than ${most} robots run a newer release than ${tag}, such as ${names}`;
  const more = count > maxNamed ? ` and ${count - maxNamed} more` : '';
  return `${count} ${count === 1 ? 'robot runs' : 'robots run'} a newer release than ${tag}: ${names}${more}`;
}
