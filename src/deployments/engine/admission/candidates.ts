import type { Knex } from 'knex';
import type { Budget } from '../../../disruption-budgets/service.ts';
import { plainArray, textArray } from '../../../platform/db/arrays.ts';
import { namedBindings } from '../../../platform/db/named-bindings.ts';
import { isLaneBusy, mayDispatchTo } from '../holds.ts';
import { isOnline } from '../links.ts';
import { waveSkipped } from '../model.ts';
import { takesOrder } from './release-targets.ts';
import { availableRobots, groupSql, joined } from './ledger.ts';

/** A deployment whose robots are admitted step by step. */
interface GradualDeployment {
  orgId: string;
  deploymentId: string;
  openWave: number;
}

/** A robot that could be dispatched to at once, were it admitted. */
export interface Candidate {
  robotId: string;
  siteId: string;
  isUnavailable: boolean; // anyway
  groups: (string | undefined)[]; // its key for each budget; undefined: outside
}

/** Robots that cannot be admitted, so that none is read in vain. */
export interface Blocked {
  groups: readonly (readonly string[])[]; // keys, for each budget
  siteIds: readonly string[];
  zones: readonly string[]; // of their agents
}

interface Row {
  robot_id: string;
  site_id: string;
  is_unavailable: boolean;
  [group: `g${number}`]: string | null;
}

const waitsInBegunWave = `t.org_id = :orgId and t.deployment_id = :deploymentId and t.wave <= :openWave and t.status = 'waiting'
  and t.deadline_at = 'infinity' and t.reason is distinct from '${waveSkipped}' and ${mayDispatchTo('d', 't')}`;

/** Whether a robot would be a candidate were it not at work on an earlier order. */
export async function isAnyBusy(trx: Knex, { orgId, deploymentId, openWave }: GradualDeployment): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: [{ is_busy: boolean }] }>(
    `select exists (select from targets t join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
      where ${waitsInBegunWave} and ${isLaneBusy('d', 't')} and ${isOnline('t', takesOrder)}) as is_busy`,
    { orgId, deploymentId, openWave },
  );
  return rows[0].is_busy;
}

/**
 * The first candidates, in the order of their waves and in an order that differs from one release to the next. Robots
 * that are held, offline, too old, or still at work on an earlier order of the lane, are none.
 */
export async function findCandidates(
  trx: Knex,
  { orgId, deploymentId, openWave }: GradualDeployment,
  budgets: readonly Budget[],
  { groups, siteIds, zones }: Blocked,
  limit: number,
): Promise<Candidate[]> {
  const bindings = namedBindings({ orgId, deploymentId, siteIds: plainArray(siteIds), zones: textArray(zones) });
  const columns = budgets.map((budget, n) => `, ${groupSql(orgId, budget, bindings.bind)} as g${n}`);
  const rooms = budgets.map(
    (_budget, n) =>
      `and (c.is_unavailable or c.g${n} is null or c.g${n} <> all(${bindings.bind(textArray(groups[n] ?? []))}::text[]))`,
  );
  const [tables, isUnavailable, join] =
    budgets.length === 0
      ? ['', 'false', '']
      : [`with ${availableRobots}`, 'a.robot_id is null', 'left join available a on a.robot_id = t.robot_id'];
  const query = () =>
    trx.raw<{ rows: Row[] }>(
      `${tables} select * from (
       select t.robot_id, t.wave, d.payload_digest, r.site_id, ${isUnavailable} as is_unavailable${columns.join('')}
         from targets t join deployments d on d.org_id = t.org_id and d.id = t.deployment_id
         join robots r on r.org_id = t.org_id and r.id = t.robot_id ${join}
        where ${waitsInBegunWave} and ${isOnline('t', `${takesOrder} and coalesce(l.timezone, '') <> all(:zones::text[])`)} and not ${isLaneBusy('d', 't')}
       ) c where c.site_id <> all(:siteIds::uuid[]) ${rooms.join(' ')}
      order by c.wave, md5(c.robot_id::text || c.payload_digest) limit :limit`,
      { ...bindings.values, openWave, limit },
    );
  const { rows } = await (budgets.length === 0 ? query() : joined(trx, query));
  return rows.map((row) => ({
    robotId: row.robot_id,
    siteId: row.site_id,
    isUnavailable: row.is_unavailable,
    groups: budgets.map((_budget, n) => row[`g${n}`] ?? undefined),
  }));
}
