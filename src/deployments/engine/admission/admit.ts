import type { Knex } from 'knex';
import { disruptionBudgetService, type Budget } from '../../../disruption-budgets/service.ts';
import type { Hint } from '../../../platform/bus/bus.ts';
import type { RolloutPace } from '../../../rollout-policies/service.ts';
import { hintsOf } from '../controls/caused.ts';
import type { DueRollout } from '../rollouts/facts.ts';
import { earlierOrders } from '../model.ts';
import { findCandidates, isAnyBusy, type Blocked } from './candidates.ts';
import { readClosedWindows } from './download-windows.ts';
import { closedHold, holdBy } from './hold-text.ts';
import { readGroups } from './ledger.ts';
import { allowedBy, spend, type PaceTokens } from './pace.ts';
import { admitRobots, expireOffline, takeBack } from './release-targets.ts';
import { createRooms, groupName } from './rooms.ts';
import { isAnyLeft, readDownloads, readProgress, tryLockLedger, writeAdmission, type Hold } from './store.ts';

/** Robots that are admitted in one transaction. */
const maxAdmitted = 5_000;
/** Pause before robots that a limit holds, and those that are offline, are looked at again. */
const [heldMs, offlineMs] = [1_000, 5_000];
/** Pause while another deployment of the org admits robots. */
const lockedMs = 50;
/** Admission takes at most this share of a connection: a large org is looked at less often. */
const maxShare = 0.1;

/** Longer than any pause: the clock of the database was ahead as it was written. */
const maxRestMs = 600_000;

interface Admission {
  announce: Hint[];
  againMs: number | undefined; // pause before the next one; undefined: no robot waits for it
}

/**
 * Admits robots of the waves that have begun, as many as the pace of the rollout and the disruption budgets of the org
 * allow. What was admitted before and not dispatched is taken back first. The deployment is locked.
 */
export async function admit(trx: Knex, due: DueRollout): Promise<Admission> {
  const restMs = due.admitAt ? due.admitAt.getTime() - due.now.getTime() : 0;
  if (restMs > 0 && restMs < maxRestMs) return { announce: [], againMs: restMs };
  if (!(await tryLockLedger(trx, due.orgId))) return { announce: [], againMs: lockedMs };
  const startedAt = performance.now();
  await takeBack(trx, due.orgId, [due.deploymentId]);
  if (due.waitingUntil && due.now > due.waitingUntil) await expireOffline(trx, due);
  const closed = await readClosedWindows(trx, due.orgId, due.rollout, due.now);
  const open: Blocked = { groups: [], siteIds: [], zones: closed?.zones ?? [] };
  const [first] = await findCandidates(trx, due, [], open, 1);
  // Nothing is counted while nobody could receive it.
  const pass = first ? await admitSome(trx, due, open) : { ...nobody, tokens: due.tokens };
  const isLeft = pass.hold !== undefined || pass.isFull || (await isAnyLeft(trx, due));
  const isBusy = isLeft && !first && !closed && (await isAnyBusy(trx, due));
  const hold = pass.hold ?? (isLeft ? closedHold(closed) : undefined) ?? (isBusy ? busyHold : undefined);
  const costMs = pass.isFull ? 0 : (performance.now() - startedAt) / maxShare;
  await writeAdmission(trx, due, pass.tokens, hold, costMs);
  const announce = pass.admitted > 0 ? hintsOf(due.orgId, due.deploymentId, []) : [];
  if (pass.isFull) return { announce, againMs: 0 };
  if (pass.hold) return { announce, againMs: Math.max(pass.nextMs ?? heldMs, costMs) };
  return { announce, againMs: isLeft ? Math.max(offlineMs, costMs) : undefined };
}

interface Pass {
  admitted: number; // robots
  isFull: boolean; // others may be admitted at once
  hold: Hold | undefined; // what keeps a robot that could receive it now
  tokens: PaceTokens | undefined;
  nextMs: number | undefined; // pause before the rate allows one more robot
}

/** Robots that are online have other orders. */
const busyHold: Hold = { by: earlierOrders, detail: undefined };

const nobody: Pass = { admitted: 0, isFull: false, hold: undefined, tokens: undefined, nextMs: undefined };

/** Admits robots as the limits allow, in the order of the candidates. */
async function admitSome(trx: Knex, due: DueRollout, open: Blocked): Promise<Pass> {
  const { rooms, budgets, blocked, isClosed, pace, tokens, nextMs } = await readLimits(trx, due, open);
  const candidates = isClosed ? [] : await findCandidates(trx, due, budgets, blocked, maxAdmitted);
  const admitted = candidates.filter((candidate) => {
    const isFree = rooms.refusalOf(candidate) === undefined;
    if (isFree) rooms.take(candidate);
    return isFree;
  });
  const ids = admitted.map(({ robotId }) => robotId);
  if (ids.length > 0) await admitRobots(trx, due, ids);
  const [next] = await findCandidates(trx, due, budgets, open, 1);
  const refusal = next && rooms.refusalOf(next);
  return {
    admitted: ids.length,
    isFull: next !== undefined && !refusal,
    nextMs,
    tokens: tokens && spend(tokens, ids.length),
    hold: refusal && holdBy(refusal, pace),
  };
}

interface Limits {
  pace: RolloutPace;
  tokens: PaceTokens | undefined;
  nextMs: number | undefined; // pause before the rate allows one more robot
  isClosed: boolean; // for every robot
  budgets: readonly Budget[];
  blocked: Blocked;
  rooms: ReturnType<typeof createRooms>;
}

async function readLimits(trx: Knex, due: DueRollout, open: Blocked): Promise<Limits> {
  const pace: RolloutPace = (!due.isUrgent && due.rollout.pace) || {};
  const { inFlight, rate, tokens, nextMs } = allowedBy(pace, {
    ...(await readProgress(trx, due)),
    nowMs: due.now.getTime(),
    before: due.tokens,
  });
  const isClosed = inFlight <= 0 || rate <= 0;
  const budgets = await disruptionBudgetService(trx).all(due.orgId);
  const groups = isClosed ? [] : await readGroups(trx, due.orgId, budgets);
  const perSite = (due.lane.startsWith('release:') ? pace.downloads_per_site : undefined) ?? Infinity;
  const downloads = isClosed || perSite === Infinity ? new Map<string, number>() : await readDownloads(trx, due.orgId);
  const full = groups.filter(({ unavailable, allowed }) => unavailable >= allowed);
  return {
    pace,
    tokens,
    nextMs,
    isClosed,
    budgets,
    blocked: {
      groups: budgets.map((budget) => full.filter((group) => group.budget === budget).map(({ key }) => key)),
      siteIds: [...downloads].flatMap(([siteId, count]) => (count >= perSite ? [siteId] : [])),
      zones: open.zones,
    },
    rooms: createRooms({
      inFlight,
      rate,
      downloads,
      perSite,
      groups: new Map(groups.map((group) => [groupName(budgets.indexOf(group.budget), group.key), group])),
    }),
  };
}
