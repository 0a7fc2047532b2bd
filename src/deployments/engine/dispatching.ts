import type { Knex } from 'knex';
import { nullableArray, plainArray } from '../../platform/db/arrays.ts';
import { retryOnConflict } from '../../platform/db/retry-on-conflict.ts';
import { inTransaction, type Work } from '../../platform/db/transaction.ts';
import type { Tracing } from '../../platform/tracing.ts';
import { windowState } from '../../kernel/calendar/windows.ts';
import { windowFor, type RolloutWindows } from '../../rollout-policies/service.ts';
import type { RobotKey } from './order-port.ts';
import { composeOrders, type PayloadText, type NewOrder } from './documents.ts';
import { createTransitionBatch } from './transition-batch.ts';
import type { LockedTarget, TargetKey } from './locked.ts';
import { lockTargets } from './target-locks.ts';
import { writeTransitions } from './write-transitions.ts';
import { openTargetsOf } from './open-targets.ts';
import { isLaneBusy, lacksCapability, mayDispatchTo, rolloutOf } from './holds.ts';
import { isReplaced, isRobotHeld } from './robot-holds.ts';
import { recordOrders } from './spans.ts';

/** Robots per transaction. */
const maxRobots = 1_000;
/** Targets per transaction with several robots: 1,000 robots may have 2 million waiting targets. */
const maxTargets = 20_000;

interface Options {
  limit?: number; // targets per transaction
  tracing?: Tracing | undefined;
}

/** Dispatches the waiting targets of these robots whose lanes are free. */
export async function dispatch(
  db: Knex,
  robots: readonly RobotKey[],
  { limit = maxTargets, tracing }: Options = {},
): Promise<void> {
  for (let start = 0; start < robots.length; start += maxRobots)
    await dispatchTogether(db, robots.slice(start, start + maxRobots), { limit, tracing });
}

async function dispatchTogether(
  db: Knex,
  robots: readonly RobotKey[],
  options: Options & { limit: number },
): Promise<void> {
  const { limit, tracing } = options;
  const startedAt = new Date();
  const waiting = await findWaiting(db, robots, limit + 1);
  if (waiting.length > limit && robots.length > 1) {
    const half = Math.ceil(robots.length / 2);
    await dispatchTogether(db, robots.slice(0, half), options);
    return dispatchTogether(db, robots.slice(half), options);
  }
  const behind = waiting.filter(({ heldOrderId }) => heldOrderId !== undefined);
  const free = waiting.filter(({ heldOrderId }) => heldOrderId === undefined);
  const made = free.length > 0 ? await retryOnConflict(() => inTransaction(db, (trx) => handOut(trx, free))) : [];
  if (tracing) recordOrders(tracing, made, startedAt);
  if (behind.length > 0) await askBack(db, behind);
}

interface WaitingRow {
  org_id: string;
  deployment_id: string;
  robot_id: string;
  cause_id: string | null;
  held_order_id: string | null;
  windows: RolloutWindows | null;
  timezone: string | null;
}

/** A target, and the deployment that caused its own: its pause holds both. */
interface WaitingTarget extends TargetKey {
  causeId: string | undefined;
  heldOrderId: string | undefined; // with a window, which the robot returns first
}

const heldOrder = `case when d.ignores_windows then (
  select o.id from orders o where o.org_id = t.org_id and o.robot_id = t.robot_id and o.lane = t.lane and o.ended_at is null) end`;

/**
 * Targets that may be dispatched: the newest of their robot, lane and key, in lanes without an order, or behind one whose
 * window they ignore. Those without a window first, as the others may keep the lane until it opens; then the oldest.
 */
async function findWaiting(db: Knex, robots: readonly RobotKey[], limit: number): Promise<WaitingTarget[]> {
  const { rows } = await db.raw<{ rows: WaitingRow[] }>(
    `select t.org_id, t.deployment_id, t.robot_id, d.cause_id, ${heldOrder} as held_order_id, ${rolloutOf('d')} -> 'windows' as windows, l.timezone
       from unnest(?::uuid[], ?::uuid[]) as r (org_id, robot_id)
       cross join lateral ${openTargetsOf({ orgId: 'r.org_id', robotId: 'r.robot_id' })} t
       join deployments d on d.org_id = t.org_id and d.id = t.deployment_id and ${mayDispatchTo('d', 't')}
       join robot_links l on l.org_id = t.org_id and l.robot_id = t.robot_id
      where t.status = 'waiting' and not ${lacksCapability('d', 'l')} and not ${isReplaced('t')}
        and not ${isLaneBusy('d', 't')}
      order by d.order_terms -> 'window' is not null, t.rank limit ?`,
    [plainArray(robots.map(({ orgId }) => orgId)), plainArray(robots.map(({ robotId }) => robotId)), limit],
  );
  return rows.filter(inWindowAt(new Date())).map((row) => ({
    orgId: row.org_id,
    deploymentId: row.deployment_id,
    robotId: row.robot_id,
    causeId: row.cause_id ?? undefined,
    heldOrderId: row.held_order_id ?? undefined,
  }));
}

/**
 * Whether a robot may download at `now`. Outside of its window, it is admitted within seconds after the window opens
 * (`admission/admit.ts`). Each window is evaluated once per zone, since thousands of robots share a few of them.
 */
function inWindowAt(now: Date): (row: WaitingRow) => boolean {
  const known = new Map<string, boolean>();
  return ({ windows, timezone }) => {
    if (windows?.download === undefined) return true;
    const name = JSON.stringify([windows, timezone]);
    const isOpen = known.get(name) ?? isOpenAt(windows, now, timezone ?? undefined);
    known.set(name, isOpen);
    return isOpen;
  };
}

function isOpenAt(windows: RolloutWindows, now: Date, timezone: string | undefined): boolean {
  const window = windowFor('download', windows);
  return !window || windowState(window, now, timezone).isOpen;
}

/** Asks robots to return orders, which they do unless these have taken effect. Then the lane is free for what is behind. */
const askBack = (db: Knex, behind: readonly WaitingTarget[]) =>
  retryOnConflict(() =>
    db.raw(
      `update orders o set is_cancelled = true
         from (select org_id, id from orders where (org_id, id) in (select * from unnest(?::uuid[], ?::uuid[])) and ended_at is null and not is_cancelled
                order by org_id, id for no key update) held
        where o.org_id = held.org_id and o.id = held.id`,
      [plainArray(behind.map(({ orgId }) => orgId)), nullableArray(behind.map(({ heldOrderId }) => heldOrderId))],
    ),
  );

/**
 * If two replicas dispatch to one robot at once, the unique index of open orders lets only one succeed. Returns the orders that
 * were made.
 */
async function handOut(trx: Knex, keys: readonly WaitingTarget[]): Promise<Work<NewOrder[]>> {
  const causes = keys.flatMap(({ orgId, causeId }) =>
    causeId === undefined ? [] : [{ orgId, deploymentId: causeId }],
  );
  const locked = await lockTargets(trx, { targets: keys, alsoLocked: causes, dispatches: true });
  const ready = keys.flatMap((key) => {
    const target = locked.find(key);
    const isHeld = key.causeId !== undefined && locked.deployments.get(key.causeId)?.isHolding === true;
    return target?.status === 'waiting' && target.isReleased && !target.isDue && isRunning(target) && !isHeld
      ? [target]
      : [];
  });
  const entries = await readEntries(trx, ready);
  const { orders, documents } = composeOrders(ready, ({ id, payloadDigest }) => {
    const entry = entries.get(payloadDigest);
    if (entry === undefined) throw new Error(`the payload of deployment ${id} is missing`);
    return entry;
  });
  if (orders.length === 0) return { result: [], closing: [] };
  const batch = createTransitionBatch(locked);
  const [, { rows }] = await Promise.all([
    documents.length > 0 && insertDocuments(trx, documents),
    insertOrders(trx, orders),
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  const made = orders.filter(({ id }) => ids.has(id));
  for (const { id, targets } of made) for (const target of targets) batch.move(target, { kind: 'dispatched' }, id);
  await writeTransitions(trx, batch);
  return { result: made, closing: [] };
}

const isRunning = ({ deployment: { status, isFrozen } }: LockedTarget): boolean =>
  (status === 'pending' || status === 'in_progress') && !isFrozen;

/** The pinned texts of config deployments, by digest. */
async function readEntries(trx: Knex, targets: readonly LockedTarget[]): Promise<Map<string, string>> {
  const payloadKeys = new Map<string, string>();
  for (const { deployment } of targets)
    if (deployment.lane === 'config')
      payloadKeys.set(`${deployment.payloadDigest} ${deployment.orgId}`, deployment.orgId);
  if (payloadKeys.size === 0) return new Map();
  const { rows } = await trx.raw<{ rows: { digest: string; body: string }[] }>(
    'select p.digest, p.body from unnest(?::uuid[], ?::text[]) as k (org_id, digest) join payloads p using (org_id, digest)',
    [
      plainArray([...payloadKeys.values()]),
      plainArray([...payloadKeys.keys()].map((name) => name.slice(0, name.indexOf(' ')))),
    ],
  );
  return new Map(rows.map(({ digest, body }) => [digest, body]));
}

const insertDocuments = (trx: Knex, documents: readonly PayloadText[]) =>
  trx.raw(
    `insert into payloads (org_id, digest, body) select * from unnest(?::uuid[], ?::text[], ?::text[]) on conflict do nothing`,
    [
      plainArray(documents.map(({ orgId }) => orgId)),
      plainArray(documents.map(({ digest }) => digest)),
      nullableArray(documents.map(({ body }) => body)),
    ],
  );

/**
 * Leaves out robots that are held since they were read. The triggers of `orders` do that for replicas of a previous release,
 * which know no terms: those of this one are never null (migrations 0037, 0056).
 */
const insertOrders = (trx: Knex, orders: readonly NewOrder[]) =>
  trx.raw<{ rows: { id: string }[] }>(
    `insert into orders (org_id, id, robot_id, lane, payload_digest, proof, signature, key_id, terms, deployment_ids)
     select org_id, id, robot_id, lane, payload_digest, proof, signature, key_id, terms, string_to_array(deployments, ' ')::uuid[]
       from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::jsonb[], ?::text[], ?::uuid[], ?::boolean[])
         as o (org_id, id, robot_id, lane, payload_digest, proof, signature, key_id, terms, deployments, release_id, waits_for_maintenance)
      where not ${isRobotHeld('o', 'o.robot_id')}
     on conflict do nothing returning id`,
    [
      plainArray(orders.map(({ orgId }) => orgId)),
      plainArray(orders.map(({ id }) => id)),
      plainArray(orders.map(({ robotId }) => robotId)),
      nullableArray(orders.map(({ lane }) => lane)),
      plainArray(orders.map(({ digest }) => digest)),
      plainArray(orders.map(({ proof }) => proof)),
      nullableArray(orders.map(({ signature }) => signature)),
      nullableArray(orders.map(({ keyId }) => keyId)),
      nullableArray(orders.map(({ terms }) => terms ?? '{}')),
      nullableArray(orders.map(({ targets }) => targets.map(({ deployment }) => deployment.id).join(' '))),
      nullableArray(orders.map(({ targets }) => targets[0]?.deployment.releaseId)), // one, or config entries
      plainArray(orders.map(({ targets }) => String(targets.some(({ deployment }) => deployment.waitsForMaintenance)))),
    ],
  );
