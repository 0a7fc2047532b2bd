import {
  deploymentMoves,
  orderSteps,
  targetMoves,
  type DeploymentStatus,
  type TargetStatus,
} from '../../../generated/protocol.js';

export type { DeploymentStatus, TargetStatus };

/** Why a deployment is paused. */
export type PauseCode =
  'requested' | 'wave_ended' | 'wave_failed' | 'aborted' | 'approval' | 'superseded' | 'frozen' | 'downgrade_left_out';

/** Number of robots of a deployment by status. */
export type Counts = Record<TargetStatus, number>;

/** What may happen to one target. */
export type TransitionTrigger =
  /** It is dispatched to its robot. */
  | { kind: 'dispatched' }
  /** Its robot reports the status of the order. `isProven`: the report has the proof that the order requires. */
  | {
      kind: 'reported';
      status: string;
      isProven: boolean;
      isCancelOrder: boolean; // the robot was asked to stop the order
      reason?: string | undefined;
      message?: string | undefined;
    }
  /** Its deployment was cancelled. */
  | { kind: 'cancelled' }
  /** A person skipped its wave. */
  | { kind: 'wave_skipped' }
  /** A newer deployment sets the same thing for its robot. */
  | { kind: 'superseded' }
  /** Its robot's queue is full. */
  | { kind: 'queue_full' }
  /** Its robot was removed. */
  | { kind: 'robot_removed' }
  /** Its deadline has passed. */
  | { kind: 'deadline' };

/**
 * How long a target may keep its new status. `expiry`: until 7 days after its deployment started. `active`: the
 * deployment's active minutes from now. `now`: the sweeper takes it up at once. `ended`: forever.
 */
export type Deadline = 'expiry' | 'active' | 'now' | 'ended';

export interface Move {
  to: TargetStatus;
  deadline: Deadline;
  reason?: string | undefined;
  message?: string | undefined;
}

/** Reason of a target that fails because its robot's queue is full. The sweeper recognizes it by this. */
export const tooManyOrders = 'too_many_orders';

/** Reason of a target whose wave was skipped, also while it still waits (migration 0042). */
export const waveSkipped = 'wave_skipped';

/** Reason of a robot that returned an order at the end of its window, as the order said. It gets another one. */
const windowEnded = 'window_ended';

/** Reasons that only the service gives: it acts by them. If a robot reports one, it gets the prefix `agent_`. */
const reasonsOfService: readonly string[] = [
  'expired',
  'forced',
  'robot_removed',
  'superseded',
  tooManyOrders,
  waveSkipped,
];
const reasonOfAgent = (reason: string | undefined): string | undefined =>
  reason !== undefined && reasonsOfService.includes(reason) ? `agent_${reason}` : reason;

/** How long a target waits for a robot that stays offline. */
export const expiryDays = 7;
export const dayMs = 86_400_000;

/** Longest time in one status for a robot that reports progress: endless progress times out too. */
export const maxProgressHours = 24;

export const targetStatuses = Object.keys(targetMoves) as TargetStatus[];
export const isTerminal = (status: TargetStatus): boolean => targetMoves[status].length === 0;
export const sqlList = (statuses: readonly TargetStatus[]): string =>
  statuses.map((status) => `'${status}'`).join(', ');
/** As a list for SQL. */
export const terminalStatuses = sqlList(targetStatuses.filter(isTerminal));
export const hasEnded = (status: DeploymentStatus): boolean => deploymentMoves[status].length === 0;
/** `held_by` of a deployment whose robots could be admitted, were they not at work on earlier orders. */
export const earlierOrders = 'earlier_orders';
/** Whether its robot has the order, as far as the service knows. */
export const isInFlight = (status: TargetStatus): boolean => status !== 'waiting' && !isTerminal(status);

/** Statuses of a robot that works on an order. If such a report changes nothing, it may carry progress. */
const working: readonly string[] = [...orderSteps, 'rolling_back'] satisfies TargetStatus[];
export const mayCarryProgress = (status: string): boolean => working.includes(status);
const reportable: readonly string[] = [...working, ...targetStatuses.filter(isTerminal)];
export const mayReport = (status: string): boolean => reportable.includes(status);

const isLegal = (from: TargetStatus, to: TargetStatus): boolean => targetMoves[from].includes(to);

const outcomes: readonly string[] = ['failed', 'rolled_back'] satisfies TargetStatus[];

/**
 * The transition of a target for a cause, if it changes the target:
 * waiting → dispatched (sent to its robot) → downloading → installing → verifying → applied | failed | rolled_back, by
 * reports, which may skip steps;
 * from dispatched on → cancelling (its deployment was cancelled), where the robot's report decides; → rolling_back,
 * which only ends in failed or rolled_back; → waiting, if the order was withdrawn for another target before it took
 * effect.
 * waiting → cancelled (cancelled, wave skipped, superseded, robot removed) or failed (queue full). Each non-terminal status has a
 * deadline, which ends it.
 */
export function nextTransition(status: TargetStatus, cause: TransitionTrigger): Move | undefined {
  const move = proposal(status, cause);
  return move && isLegal(status, move.to) ? move : undefined;
}

function proposal(status: TargetStatus, cause: TransitionTrigger): Move | undefined {
  switch (cause.kind) {
    case 'dispatched':
      return status === 'waiting' ? { to: 'dispatched', deadline: 'expiry' } : undefined;
    case 'reported':
      return status === 'waiting' ? undefined : reported(status, cause);
    case 'cancelled':
      if (status === 'waiting') return ended('cancelled');
      // A rollback runs to its end.
      return status === 'rolling_back' ? undefined : { to: 'cancelling', deadline: 'active' };
    case 'wave_skipped':
      return status === 'waiting' ? ended('cancelled', waveSkipped) : undefined;
    case 'superseded':
      return status === 'waiting' ? ended('cancelled', 'superseded') : undefined;
    case 'queue_full':
      return status === 'waiting' ? ended('failed', tooManyOrders) : undefined;
    case 'robot_removed':
      if (status === 'waiting' || status === 'cancelling') return ended('cancelled', 'robot_removed');
      return status === 'rolling_back' ? ended('failed', 'robot_removed') : { to: 'cancelling', deadline: 'now' };
    case 'deadline':
      if (status === 'cancelling') return ended('cancelled', 'forced');
      return ended('failed', status === 'waiting' || status === 'dispatched' ? 'expired' : 'timed_out');
  }
}

const ended = (to: TargetStatus, reason?: string, message?: string): Move => ({
  to,
  deadline: 'ended',
  reason,
  message,
});

function reported(from: TargetStatus, cause: Extract<TransitionTrigger, { kind: 'reported' }>): Move | undefined {
  const { status, isProven, isCancelOrder, message } = cause;
  const reason = reasonOfAgent(cause.reason);
  if (status === 'applied')
    return isProven ? ended('applied', reason, message) : ended('failed', 'digest_mismatch', message);
  if (outcomes.includes(status)) return ended(status as TargetStatus, reason, message);
  if (status === 'rolling_back') return { to: status, deadline: 'active', reason, message };
  if (status === 'cancelled') {
    if (from === 'cancelling') return ended('cancelled', reason, message);
    const isReturned = isCancelOrder || reason === windowEnded;
    if (isReturned && isLegal(from, 'waiting')) return { to: 'waiting', deadline: 'expiry' };
    return ended('failed', 'agent_cancelled', message);
  }
  if (from === 'cancelling') return undefined; // the robot may continue for a while: only the outcome counts
  return mayCarryProgress(status) ? { to: status as TargetStatus, deadline: 'active', reason, message } : undefined;
}

/** Statuses that a cancel stops: the robot has not started, or is asked to stop. */
export const cancellableStatuses = targetStatuses.filter((status) => nextTransition(status, { kind: 'cancelled' }));

/** Statuses that put a deployment in progress for good: a robot was given the order. */
export const begunStatuses = targetStatuses.filter((status) => !['waiting', 'failed', 'cancelled'].includes(status));

/**
 * The status of a deployment whose robots are fixed. It depends on their counts, and on the status before, which tells
 * whether the deployment was cancelled, has started or pauses. All ended: any failed → failed, else any rolled back →
 * rolled_back, else any applied → applied, else cancelled.
 */
export function statusAfter(before: DeploymentStatus, counts: Counts): DeploymentStatus {
  const isOpen = targetStatuses.some((status) => counts[status] > 0 && !isTerminal(status));
  if (isOpen) {
    if (before !== 'pending') return before;
    return begunStatuses.some((status) => counts[status] > 0) ? 'in_progress' : 'pending';
  }
  if (counts.failed > 0) return 'failed';
  if (counts.rolled_back > 0) return 'rolled_back';
  return counts.applied > 0 ? 'applied' : 'cancelled';
}

export const noCounts = (): Counts => Object.fromEntries(targetStatuses.map((status) => [status, 0])) as Counts; // one entry for each status
