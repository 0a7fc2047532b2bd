import type { Happening } from './history.ts';
import { isDispatch, isEnd, isFailure, readRunning, type Case, type Invariant } from './case.ts';
import { approvedFirst, wavesEarned } from './wave-invariants.ts';

const first = (
  happenings: readonly Happening[],
  such: (each: Happening) => boolean,
  text: (each: Happening) => string,
) => {
  const found = happenings.find(such);
  return found && `${text(found)} (step ${found.step}, ${found.seq}: ${JSON.stringify(found.facts)})`;
};

/** How a failure counts for abort rules: what was rejected counts as failed too. */
const causeOf = ({ facts }: Happening): string =>
  facts.to === 'rolled_back' ? 'rolled_back' : facts.reason === 'timed_out' ? 'timed_out' : 'failed';

/**
 * Walks through the failures that count, by the rules of the scenarios: a number of robots of the whole rollout. `onSent`: at
 * each order after the limit, but for those of the same step, which the service could not foresee, and of one in which
 * somebody continued it. `onEnd`: at each failure.
 */
function afterLimit(
  { rollout, happenings }: Case,
  visit: { onSent?(each: Happening): void; onEnd(failed: number, most: number): void },
) {
  const failed = new Map<string, string>(); // causes by robot
  const running = readRunning();
  const isReached = () =>
    (rollout?.abort ?? []).some(({ count = Infinity, reasons }) => {
      const counts = (cause: string) => reasons.some((each) => each === 'any' || each === cause);
      return [...failed.values()].filter(counts).length + running.disturbed(counts).length >= count;
    });
  let most = Infinity;
  let reachedIn = Infinity;
  let continuedIn = -1;
  const inFlight = new Set<string>();
  for (const each of happenings) {
    running.see(each);
    if (each.facts.isAccepting) failed.clear();
    if (each.kind === 'changed' && each.facts.from === 'paused' && each.facts.to !== 'paused') continuedIn = each.step;
    if (isDispatch(each)) {
      inFlight.add(each.robot ?? '');
      if (each.step > reachedIn && each.step !== continuedIn) visit.onSent?.(each);
      else most += 1;
    }
    if (isFailure(each)) failed.set(each.robot ?? '', causeOf(each));
    if (each.kind === 'moved' && (isEnd(each.facts.to) || each.facts.to === 'waiting'))
      inFlight.delete(each.robot ?? '');
    // A robot may become healthy again before a rollout that a person paused is decided on.
    if (!isReached()) [most, reachedIn] = [Infinity, Infinity];
    else if (reachedIn === Infinity) [most, reachedIn] = [failed.size + inFlight.size, each.step];
    if (isFailure(each)) visit.onEnd(failed.size, most);
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
  const { max_in_flight: most = Infinity, per_minute: base, growth } = (!isUrgent && rollout?.pace) || {};
  const admitted = happenings.filter(({ kind }) => kind === 'admitted');
  const crowded = first(
    admitted,
    ({ facts }) => (facts.inFlight ?? 0) > most,
    ({ facts }) => `${facts.inFlight} robots work on it at the same time, not ${most} at most`,
  );
  if (crowded !== undefined || base === undefined) return crowded;
  /** A rate that grows never shrinks: the last one is the highest. */
  const rateAt = ({ seq }: Happening): number => {
    const applied = happenings.filter((each) => each.seq < seq && each.kind === 'moved' && each.facts.to === 'applied');
    const steps = growth ? Math.floor(applied.length / growth.after_applied) : 0;
    return Math.min(base * (growth?.factor ?? 1) ** steps, growth?.up_to ?? Infinity);
  };
  for (const [last, end] of admitted.entries()) {
    const rate = rateAt(end);
    const burst = Math.max(1, rate / 6);
    for (const [index, { atMs }] of admitted.slice(0, last + 1).entries()) {
      const tookMs = end.atMs - atMs;
      const allowed = burst + (rate / 60_000) * (tookMs + 1_000); // a pass may commit later than the time that it counts by
      if (last - index + 1 > allowed + 1)
        return `${last - index + 1} robots were admitted within ${tookMs} ms, at ${rate} per minute`;
    }
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

/** A robot gets another order only if the service withdrew the first one, and nothing follows an end. */
const sentOnce: Invariant = ({ happenings }) => {
  const status = new Map<string, string>();
  for (const { kind, robot, facts } of happenings) {
    if (kind !== 'moved' || robot === null) continue;
    const before = status.get(robot) ?? 'waiting';
    if (isEnd(before) || facts.from !== before) return `robot ${robot} became ${facts.to} after it was ${before}`;
    if (facts.to === 'dispatched' && before !== 'waiting')
      return `robot ${robot} was sent an order when it was ${before}`;
    if (facts.to === 'waiting' && facts.isWithdrawn !== true)
      return `robot ${robot} is to be sent another order, and nobody withdrew the one that it had`;
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

/** What the history of no deployment may break; `nowMs`: the time of the windows. */
export const invariants = (nowMs: number) =>
  ({
    failuresWithinLimit,
    nothingSentAfterLimit,
    budgetsKept,
    paceKept,
    sentInWindow: sentInWindow(nowMs),
    nothingEarly,
    wavesEarned,
    approvedFirst,
    pauseHolds,
    ableRobotsOnly,
    sentOnce,
    wavesAsPlanned,
  }) satisfies Record<string, Invariant>;

/** All that no random walk may break. The walk itself looks at those that no history shows. */
export type InvariantName =
  | keyof ReturnType<typeof invariants>
  | 'whatIsDueIsDone'
  | 'everyTargetEndsOrWaits'
  | 'offlineHoldsUpNothing'
  | 'countsAreRight';
