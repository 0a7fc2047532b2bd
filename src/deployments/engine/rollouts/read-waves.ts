import type { Knex } from 'knex';
import type { NamedBindings } from '../../../platform/db/named-bindings.ts';
import type { Rollout } from '../../../rollout-policies/service.ts';
import { selectedSql } from '../target-sql.ts';
import { assignWaves } from './assign-waves.ts';

/** Robots that were seen this recently are the first of a wave. */
const seenMinutes = 10;

/** Maximum number of robots per deployment. */
export const maxTargets = 200_000;

/** The robots that a deployment is for. */
export interface TargetRobots {
  orgId: string;
  isTarget: string; // SQL: whether the robot `r` belongs to the target
  bindings: NamedBindings; // of orgId, and of `isTarget`
}

export interface RobotWave {
  id: string;
  wave: number; // from 1
}

/**
 * The order in which robots `r` with the links `l` fill the waves, as SQL. `digest`: SQL of the digest of the payload:
 * the same robots are not the first of every release.
 */
export const usualOrder = (digest: string): string =>
  `coalesce(l.last_seen_at > now() - interval '${seenMinutes} minutes', false) desc, md5(r.id::text || ${digest})`;

/** That of the deployment `:deploymentId`. Robots of a rollback: by the wave in which they received what they return from. */
export const orderOf = ({ isRollback }: { isRollback: boolean }): string => {
  const usual = usualOrder(
    '(select d.payload_digest from deployments d where d.org_id = :orgId and d.id = :deploymentId)',
  );
  const newestWaveFirst = `(select b.wave from rollback_robots b
    where b.org_id = r.org_id and b.rollback_id = :deploymentId and b.robot_id = r.id) desc`;
  return isRollback ? `${newestWaveFirst}, ${usual}` : usual;
};

/** Without a rollout, all robots are in one wave. */
const oneWave: Pick<Rollout, 'waves'> = { waves: [{}] };

/** The number of robots of a target; not counted beyond `most` and one. */
export async function countRobots(trx: Knex, { isTarget, bindings }: TargetRobots, most: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: [{ count: number }] }>(
    `select count(*) as count from (
       select from robots r where r.org_id = :orgId and ${isTarget} and r.retired_at is null limit :limit) as found`,
    { ...bindings.values, limit: most + 1 },
  );
  return rows[0].count;
}

/**
 * The robots of a target as they are now, each with its wave. `order`: SQL, as `usualOrder`. `total`: number of robots of
 * which percentages are, by default these robots.
 */
export async function readWaves(
  trx: Knex,
  { orgId, isTarget, bindings }: TargetRobots,
  order: string,
  { waves }: Pick<Rollout, 'waves'> = oneWave,
  total?: number,
): Promise<RobotWave[]> {
  // Only waves with a selector need a value per robot: for 20 waves and 100,000 robots the others would be 2 million.
  const columns = waves.map(({ selector }, index) => ({ selector, name: `m${index}` }));
  const asked = columns.flatMap(({ selector, name }) =>
    selector === undefined ? [] : [`, ${selectedSql(orgId, selector, bindings.bind)} as ${name}`],
  );
  const { rows } = await trx.raw<{ rows: ({ id: string } & Record<string, unknown>)[] }>(
    `select r.id${asked.join('')}
       from robots r left join robot_links l on l.org_id = r.org_id and l.robot_id = r.id
      where r.org_id = :orgId and ${isTarget} and r.retired_at is null order by ${order}`,
    bindings.values,
  );
  const everyWave = columns.map(() => true);
  const matchesOf = (row: Record<string, unknown>) =>
    columns.map(({ selector, name }) => selector === undefined || row[name] === true);
  const assigned = assignWaves(
    rows.map((row) => ({ matches: asked.length === 0 ? everyWave : matchesOf(row) })),
    waves,
    total,
  );
  return rows.map(({ id }, index) => ({ id, wave: assigned[index] ?? 1 }));
}
