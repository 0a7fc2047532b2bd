import type { Knex } from 'knex';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import type { DueDeployment } from './due-deployments.ts';
import { expiryDays, tooManyOrders } from './model.ts';
import { isQueueFull, mayFillQueue } from './queue-limit.ts';
import { RobotsChanged } from './robots-changed.ts';
import { lookUpByKey } from './target-locks.ts';
import { fleetOf, type Target } from './target-sql.ts';

/** Most deployments that start in one transaction. */
export const maxTogether = 200;
/** Most robots of each. */
const maxRobots = 100;
/** Most robots of all of them. */
const maxTargets = 2_000;

/** A deployment with its robots. */
interface Starting {
  due: DueDeployment;
  robotIds: readonly string[];
}

interface Found {
  robots: ReadonlyMap<DueDeployment, readonly string[]>;
  lockedFleets: ReadonlySet<string>;
  crowdedOrgs: ReadonlySet<string>; // a robot of theirs may have a full queue
}

/**
 * Starts the first of these deployments, which are plain and locked, in as many statements as one takes. Returns those
 * that it started, with their number of targets, and of each org the next one if it needs a transaction of its own. It
 * waits for no lock of others. Ranks rise in the order of the deployments.
 */
export async function startTogether(
  trx: Knex,
  due: readonly DueDeployment[],
): Promise<{ started: { due: DueDeployment; targets: number }[]; alone: DueDeployment[] }> {
  const found = await findRobots(trx, due);
  const { starting, alone } = firstOf(due, found);
  if (starting.length > 0) await start(trx, starting, found.crowdedOrgs);
  return { started: starting.map((each) => ({ due: each.due, targets: each.robotIds.length })), alone };
}

const idOf = ({ target }: DueDeployment, kind: Target['kind']): string | undefined =>
  'id' in target && target.kind === kind ? target.id : undefined;

/** The robots of each, after the fleets are locked, as for a deployment that starts alone (`target-expansion.ts`). */
async function findRobots(trx: Knex, due: readonly DueDeployment[]): Promise<Found> {
  const orgIds = plainArray(due.map(({ orgId }) => orgId));
  const fleets = nullableArray(due.map(({ target }) => fleetOf(target)));
  const [, , locked, crowded, robots] = await Promise.all([
    lookUpByKey(trx),
    trx.raw(`select set_config('enable_seqscan', 'off', true)`),
    trx.raw<{ rows: { id: string }[] }>(
      `select f.id from unnest(?::uuid[], ?::uuid[]) as k (org_id, id) join fleets f using (org_id, id) for update of f skip locked`,
      [orgIds, fleets],
    ),
    trx.raw<{ rows: { org_id: string }[] }>(
      `select org_id from (select distinct org_id from unnest(?::uuid[]) as org_id) org where ${mayFillQueue('org.org_id', maxTogether)}`,
      [orgIds],
    ),
    trx.raw<{ rows: { n: number; id: string }[] }>(
      // The order is that of an index: without it, Postgres may read all robots of the org for each fleet.
      `select k.n::int, r.id from unnest(?::uuid[], ?::uuid[], ?::uuid[]) with ordinality as k (org_id, robot_id, fleet_id, n)
        cross join lateral (
          select id from robots where org_id = k.org_id and id = k.robot_id and retired_at is null
          union all
          (select id from robots where k.fleet_id is not null and org_id = k.org_id and fleet_id = k.fleet_id and retired_at is null
            order by created_at, id limit ${maxRobots + 1})) r`,
      [orgIds, nullableArray(due.map((each) => idOf(each, 'robot'))), fleets],
    ),
  ]);
  const byDeployment = new Map<DueDeployment, string[]>(due.map((each) => [each, []]));
  for (const { n, id } of robots.rows) {
    const each = due[n - 1];
    if (each) byDeployment.get(each)?.push(id);
  }
  return {
    robots: byDeployment,
    lockedFleets: new Set(locked.rows.map(({ id }) => id)),
    crowdedOrgs: new Set(crowded.rows.map((row) => row.org_id)),
  };
}

/** Those that can start together: the first ones of each org, so that none overtakes an older one. */
function firstOf(
  due: readonly DueDeployment[],
  { robots, lockedFleets, crowdedOrgs }: Found,
): { starting: Starting[]; alone: DueDeployment[] } {
  const starting: Starting[] = [];
  const alone = new Map<string, DueDeployment>(); // by org
  const all = new Set<string>();
  let targets = 0;
  for (const each of due) {
    if (alone.has(each.orgId)) continue;
    const fleetId = fleetOf(each.target);
    const robotIds = robots.get(each) ?? [];
    // Without robots it fails. A robot is moving into a fleet that another transaction holds.
    const isAlone =
      robotIds.length === 0 || robotIds.length > maxRobots || (fleetId !== undefined && !lockedFleets.has(fleetId));
    if (isAlone) {
      alone.set(each.orgId, each);
      continue;
    }
    // Statements of one transaction count what waits for a robot before it, so there it gets one deployment at a time.
    const isCrowded = crowdedOrgs.has(each.orgId) && robotIds.some((id) => all.has(id));
    if (isCrowded || targets + robotIds.length > maxTargets) break;
    for (const id of robotIds) all.add(id);
    targets += robotIds.length;
    starting.push({ due: each, robotIds });
  }
  return { starting, alone: [...alone.values()] };
}

async function start(trx: Knex, starting: readonly Starting[], crowdedOrgs: ReadonlySet<string>): Promise<void> {
  const totals = [
    plainArray(starting.map(({ due }) => due.orgId)),
    plainArray(starting.map(({ due }) => due.deploymentId)),
    plainArray(starting.map(({ robotIds }) => robotIds.length)),
  ];
  const targets = starting.flatMap(({ due, robotIds }) => robotIds.map((robotId) => ({ due, robotId })));
  const [, made] = await Promise.all([
    trx.raw(
      `with ranked as materialized (
         select org_id, id, total, nextval('deployment_rank') as rank from unnest(?::uuid[], ?::uuid[], ?::int[]) as k (org_id, id, total)
       ), begun as (
         update deployments d set status = 'pending', started_at = clock_timestamp(), rank = ranked.rank, is_superseding = true,
                overlaps_decided_at = clock_timestamp(), is_gradual = false
           from ranked where d.org_id = ranked.org_id and d.id = ranked.id
         returning d.org_id, d.id, ranked.total, d.started_at
       )
       insert into waves (org_id, deployment_id, wave, total, started_at) select org_id, id, 1, total, started_at from begun`,
      totals,
    ),
    trx.raw<{ rowCount: number }>(
      // If a robot's queue is full, the sweeper fails its target at once.
      `insert into targets (org_id, deployment_id, robot_id, lane, payload_key, rank, reason, deadline_at)
       select d.org_id, d.id, r.id, d.lane, d.payload_key, d.rank, case when queue.is_full then '${tooManyOrders}' end,
              case when queue.is_full then now() else d.started_at + make_interval(days => ${expiryDays}) end
         from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::boolean[]) as k (org_id, deployment_id, robot_id, may_crowd)
         join deployments d on d.org_id = k.org_id and d.id = k.deployment_id
         join robots r on r.org_id = k.org_id and r.id = k.robot_id and r.retired_at is null and (d.target_kind = 'robot' or r.fleet_id = d.target_id)
        cross join lateral (
          select case when k.may_crowd then
                   ${isQueueFull({ orgId: 'r.org_id', robotId: 'r.id', lane: 'd.lane', key: 'd.payload_key' })} else false end as is_full offset 0) queue`,
      [
        plainArray(targets.map(({ due }) => due.orgId)),
        plainArray(targets.map(({ due }) => due.deploymentId)),
        plainArray(targets.map(({ robotId }) => robotId)),
        nullableArray(targets.map(({ due }) => String(crowdedOrgs.has(due.orgId)))),
      ],
    ),
    trx.raw(
      `with started as (
         update deployment_counts c set total = k.total, waiting = k.total, event_seq = c.event_seq + 1
           from unnest(?::uuid[], ?::uuid[], ?::int[]) as k (org_id, deployment_id, total)
          where c.org_id = k.org_id and c.deployment_id = k.deployment_id
         returning c.org_id, c.deployment_id, c.total, c.event_seq
       )
       insert into deployment_events (org_id, deployment_id, seq, at, status)
       select org_id, deployment_id, event_seq, clock_timestamp(), 'pending' from started`,
      totals,
    ),
  ]);
  if (made.rowCount !== targets.length) throw new RobotsChanged();
}
