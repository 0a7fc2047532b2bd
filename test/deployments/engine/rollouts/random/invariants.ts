import type { Rollout } from '../../../../../src/rollout-policies/service.ts';
import type { Happening } from './history.ts';

/** A deployment, and all that was committed of it, in order. */
export interface Case {
  id: string;
  rollout: Rollout | undefined;
  isUrgent: boolean;
  happenings: readonly Happening[];
  /** The waves of its plan by robot; undefined without one. */
  planned: ReadonlyMap<string, number> | undefined;
}

/** Gives a sentence if it is broken. */
export type Invariant = (of: Case) => string | undefined;

const isDispatch = ({ kind, facts }: Happening) => kind === 'moved' && facts.to === 'dispatched';
const isEnd = (status = '') => ['applied', 'failed', 'rolled_back', 'cancelled'].includes(status);
const isFailure = ({ kind, facts }: Happening) =>
  kind === 'moved' &&
  (facts.to === 'failed' || facts.to === 'rolled_back') &&
  !['expired', 'too_many_orders', 'robot_removed'].includes(facts.reason ?? '');
const first = (
  happenings: readonly Happening[],
  such: (each: Happening) => boolean,
  text: (each: Happening) => string,
) => {
  const found = happenings.find(such);
  return found && `${text(found)} (step ${found.step}, ${found.seq}: ${JSON.stringify(found.facts)})`;
};

/** The lowest limit of a rule that counts all failures of the rollout. */
const limitOf = (rollout: Rollout | undefined): number =>
  Math.min(
    ...(rollout?.abort ?? []).flatMap(({ count, reasons }) =>
      count !== undefined && reasons.includes('any') ? [count] : [],
    ),
  );

/**
 * Walks through the failures that count. `onLimit`: at the limit; `onSent`: at each order after it, but for those of the same
 * step, which the service could not foresee, and of one in which somebody continued it.
 */
function afterLimit(
  { rollout, happenings }: Case,
  visit: { onSent?(each: Happening): void; onEnd(failed: number, most: number): void },
) {
  const limit = limitOf(rollout);
  let counted = 0;
  let most = Infinity;
  let reachedIn = Infinity;
  let continuedIn = -1;
  const inFlight = new Set<string>();
  for (const each of happenings) {
    if (each.kind === 'changed' && each.facts.from === 'paused' && each.facts.to !== 'paused') {
      continuedIn = each.step;
      if (each.facts.isAccepting) [counted, most, reachedIn] = [0, Infinity, Infinity];
    }
    if (isDispatch(each)) {
      inFlight.add(each.robot ?? '');
      if (each.step > reachedIn && each.step !== continuedIn) visit.onSent?.(each);
      else most += 1;
    }
    if (isFailure(each)) {
      counted += 1;
      if (counted === limit) [most, reachedIn] = [limit - 1 + inFlight.size, each.step];
      visit.onEnd(counted, most);
    }
    if (each.kind === 'moved' && (isEnd(each.facts.to) || each.facts.to === 'waiting'))
      inFlight.delete(each.robot ?? '');
  }
}

const failuresWithinLimit: Invariant = (of) => {
  let broken: string | undefined;
  afterLimit(of, {
    onEnd: (failed, most) => {
      if (failed > most) broken ??= `${failed} robots failed; the limit and those in flight at it allow ${most}`;
    },
  });
  return broken;
};

const nothingSentAfterLimit: Invariant = (of) => {
  let broken: string | undefined;
  afterLimit(of, {
    onSent: ({ robot, step }) =>
      (broken ??= `robot ${robot} was sent an order in step ${step}, after the limit of failures`),
    onEnd: () => undefined,
  });
  return broken;
};

const budgetsKept: Invariant = ({ happenings }) =>
  first(
    happenings,
    ({ kind, facts }) =>
      kind === 'admitted' &&
      facts.isAnyway === false &&
      (facts.groups ?? []).some(({ unavailable, allowed }) => unavailable > allowed),
    ({ robot }) => `robot ${robot} was disturbed, and more robots are unavailable than a budget allows`,
  );

/** Orders only reach robots that were admitted since they were last taken back. */
const paceKept: Invariant = ({ rollout, isUrgent, happenings }) => {
  const { max_in_flight: most = Infinity, per_minute: rate } = (!isUrgent && rollout?.pace) || {};
  const admitted = happenings.filter(({ kind }) => kind === 'admitted');
  const crowded = first(
    admitted,
    ({ facts }) => (facts.inFlight ?? 0) > most,
    ({ facts }) => `${facts.inFlight} robots work on it at the same time, not ${most} at most`,
  );
  if (crowded !== undefined || rate === undefined) return crowded;
  const perMs = rate / 60_000;
  const burst = Math.max(1, perMs * 10_000);
  for (const [index, { atMs }] of admitted.entries())
    for (let last = index; last < admitted.length; last += 1) {
      const tookMs = (admitted[last]?.atMs ?? atMs) - atMs;
      const allowed = burst + perMs * (tookMs + 1_000); // a pass may commit later than the time that it counts by
      if (last - index + 1 > allowed + 1)
        return `${last - index + 1} robots were admitted within ${tookMs} ms, at ${rate} per minute`;
    }
  return undefined;
};

/** Minutes since midnight, in the zone. */
const minutesIn = (zone: string, atMs: number): number => {
  const [hours = 0, minutes = 0] = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(atMs)
    .split(':')
    .map(Number);
  return hours * 60 + minutes;
};

/** Walks have windows that begin at an hour of each day and last some hours. Without a zone, a robot has that of the service, UTC. */
const isOpen = ({ facts, robot }: Happening, atMs: number): boolean => {
  const { download, zone } = facts.windows ?? { zone: 'UTC' };
  if (!download || robot === null) return true;
  const now = minutesIn(zone === 'robot' ? (facts.timezone ?? 'UTC') : zone, atMs);
  return download.some(({ cron, duration }) => {
    const begins = Number(cron.split(' ')[1]) * 60;
    return (now - begins + 1440) % 1440 < Number.parseInt(duration, 10) * 60;
  });
};

/** `nowMs`: time that passes for the rows alone moves no window. */
const sentInWindow =
  (nowMs: number): Invariant =>
  ({ happenings }) =>
    first(
      happenings.filter(isDispatch),
      (each) => !isOpen(each, nowMs) && !isOpen(each, nowMs - 120_000),
      ({ robot }) => `robot ${robot} was sent an order outside of its window`,
    );

const nothingEarly: Invariant = ({ happenings }) =>
  first(
    happenings.filter(isDispatch),
    ({ facts }) => facts.isEarly === true || (facts.openWave !== null && (facts.wave ?? 1) > (facts.openWave ?? 1)),
    ({ robot }) => `robot ${robot} was sent an order before its time or its wave`,
  );

const soakSeconds = (text: string): number => Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1);

/** A next wave begins when enough robots applied it for the soak time, or a person said so. */
const wavesEarned: Invariant = ({ rollout, happenings }) => {
  if (!rollout) return undefined;
  const { applied_percent: percent, soak, then } = rollout.advance;
  const size = new Map<string, number>(
    happenings.flatMap(({ kind, robot, facts }) =>
      kind === 'expanded' && robot !== null ? [[robot, facts.wave ?? 1]] : [],
    ),
  );
  for (const [index, start] of happenings.entries()) {
    const { openWave, openBefore } = start.facts;
    if (start.kind !== 'changed' || !openBefore || openWave === openBefore) continue;
    const before = happenings.slice(0, index);
    const began = before.findLastIndex(
      ({ kind, facts }) => kind === 'changed' && facts.openWave === openBefore && facts.openBefore !== openBefore,
    );
    const since = before.slice(Math.max(0, began));
    const said = (what: string) => since.some((each) => each.kind === 'operation' && each.facts.what === what);
    const members = [...size].filter(([, wave]) => wave === openBefore).map(([robot]) => robot);
    const last = new Map(before.filter(({ kind }) => kind === 'moved').map((each) => [each.robot, each]));
    const acceptedAt = before.findLastIndex(({ facts }) => facts.isAccepting === true);
    const accepted = new Set(
      before
        .slice(0, Math.max(0, acceptedAt))
        .filter((each) => isFailure(each))
        .map(({ robot }) => robot),
    );
    const applied = members
      .flatMap((robot) => (last.get(robot)?.facts.to === 'applied' ? [last.get(robot)?.atMs ?? 0] : []))
      .toSorted((one, other) => one - other);
    const failed = members.filter((robot) => {
      const end = last.get(robot);
      return end && isFailure(end) && !accepted.has(robot);
    });
    const ended = members.filter((robot) => isEnd(last.get(robot)?.facts.to));
    if (
      said('advance') ||
      members.every((robot) => ['cancelled', undefined].includes(last.get(robot)?.facts.to) && ended.includes(robot))
    )
      continue;
    if (then === 'pause') {
      if (!said('resume')) return `wave ${openWave} began without a person`;
      continue;
    }
    const need = Math.ceil(((applied.length + failed.length) * percent) / 100 - 1e-9);
    if (applied.length < need)
      return `wave ${openWave} began when ${applied.length} robots had applied it, and ${failed.length} had not`;
    const heldMs = start.atMs - (applied[need - 1] ?? -Infinity);
    if (need > 0 && heldMs < soakSeconds(soak) * 1_000 - 50)
      return `wave ${openWave} began ${Math.round(heldMs)} ms after the wave before; its soak time is ${soak}`;
  }
  return undefined;
};

const pauseHolds: Invariant = ({ happenings }) =>
  first(
    happenings.filter(isDispatch),
    ({ facts }) =>
      !['pending', 'in_progress'].includes(facts.status ?? '') ||
      facts.isFrozen === true ||
      facts.isCauseHolding === true,
    ({ robot, facts }) =>
      `robot ${robot} was sent an order while it was ${facts.isFrozen ? 'frozen' : facts.isCauseHolding ? 'held' : facts.status}`,
  );

const ableRobotsOnly: Invariant = ({ happenings }) =>
  first(
    happenings.filter(isDispatch),
    ({ facts }) => facts.isTooOld === true,
    ({ robot }) => `robot ${robot} was sent an order that its agent would not keep`,
  );

/** A robot gets another order only if the first one was withdrawn, and nothing follows an end. */
const sentOnce: Invariant = ({ happenings }) => {
  const status = new Map<string, string>();
  for (const { kind, robot, facts } of happenings) {
    if (kind !== 'moved' || robot === null) continue;
    const before = status.get(robot) ?? 'waiting';
    if (isEnd(before) || facts.from !== before) return `robot ${robot} became ${facts.to} after it was ${before}`;
    if (facts.to === 'dispatched' && before !== 'waiting')
      return `robot ${robot} was sent an order when it was ${before}`;
    status.set(robot, facts.to ?? '');
  }
  return undefined;
};

const wavesAsPlanned: Invariant = ({ happenings, planned }) => {
  const expanded = happenings.filter(({ kind }) => kind === 'expanded');
  const other = expanded.find(({ robot, facts }) => planned && planned.get(robot ?? '') !== facts.wave);
  if (other)
    return `robot ${other.robot} is in wave ${other.facts.wave}, and was planned for ${planned?.get(other.robot ?? '')}`;
  const moved = happenings.find(({ kind }) => kind === 'rewaved');
  if (moved) return `robot ${moved.robot} came to another wave`;
  const opened = happenings.filter(
    ({ kind, facts }) => kind === 'changed' && (facts.openWave ?? 0) > 0 && facts.openWave !== facts.openBefore,
  );
  const wrong = opened.find(({ facts }, index) => facts.openWave !== index + 1);
  return wrong && `wave ${wrong.facts.openWave} began after wave ${wrong.facts.openBefore}`;
};

/** All of what no random walk may break; `nowMs`: the time of the windows. */
export const invariants = (nowMs: number): Record<string, Invariant> => ({
  failuresWithinLimit,
  nothingSentAfterLimit,
  budgetsKept,
  paceKept,
  sentInWindow: sentInWindow(nowMs),
  nothingEarly,
  wavesEarned,
  pauseHolds,
  ableRobotsOnly,
  sentOnce,
  wavesAsPlanned,
});
