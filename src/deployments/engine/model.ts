import {
  deploymentMoves,
  orderSteps,
  targetMoves,
  type DeploymentStatus,
  type TargetStatus,
} from '../../../generated/protocol.js';

export type { DeploymentStatus, TargetStatus };

/** Robots of a deployment by their status. */
export type Counts = Record<TargetStatus, number>;

/** What may happen to one target. */
export type Cause =
  /** It is handed to its robot. */
  | { kind: 'dispatched' }
  /** Its robot says how far the order is. `isProven`: it showed what the order wants to see. */
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
  /** A newer deployment sets the same for its robot. */
  | { kind: 'superseded' }
  /** More wait for its robot than may. */
  | { kind: 'queue_full' }
  /** Its robot does not exist any more. */
  | { kind: 'robot_removed' }
  /** Its deadline has passed. */
  | { kind: 'deadline' };

/**
 * Until when a target may stay where it goes: `expiry` 7 days after its deployment began, `active` the deployment's active minutes from now,
 * `now` for what the sweeper is to take up at once, `ended` for ever.
 */
export type Deadline = 'expiry' | 'active' | 'now' | 'ended';

export interface Move {
  to: TargetStatus;
  deadline: Deadline;
  reason?: string | undefined;
  message?: string | undefined;
}

/** Why a target fails that is one too many for its robot; by it the sweeper knows it. */
export const tooManyOrders = 'too_many_orders';

/** How long a robot that is never there is waited for. */
export const expiryDays = 7;

/** How long a robot that tells progress may stay in one status at most: one that tells it for ever is given up too. */
export const maxProgressHours = 24;

export const targetStatuses = Object.keys(targetMoves) as TargetStatus[];
export const isTerminal = (status: TargetStatus): boolean => targetMoves[status].length === 0;
export const sqlList = (statuses: readonly TargetStatus[]): string =>
  statuses.map((status) => `'${status}'`).join(', ');
/** As a list for SQL. */
export const terminalStatuses = sqlList(targetStatuses.filter(isTerminal));
export const hasEnded = (status: DeploymentStatus): boolean => deploymentMoves[status].length === 0;
/** Whether its robot has the order, as far as the service knows. */
export const isWithRobot = (status: TargetStatus): boolean => status !== 'waiting' && !isTerminal(status);

/** What a robot says that works on an order; if that changes nothing, it may tell how far it is. */
const working: readonly string[] = [...orderSteps, 'rolling_back'] satisfies TargetStatus[];
export const tellsProgress = (status: string): boolean => working.includes(status);
const reportable: readonly string[] = [...working, ...targetStatuses.filter(isTerminal)];
export const mayReport = (status: string): boolean => reportable.includes(status);

const isLegal = (from: TargetStatus, to: TargetStatus): boolean => targetMoves[from].includes(to);

const outcomes: readonly string[] = ['failed', 'rolled_back'] satisfies TargetStatus[];

/**
 * Where a target goes by what happened, if that changes it:
 * waiting → dispatched (sent to its robot) → downloading → installing → verifying → applied | failed | rolled_back, by reports, which may skip steps;
 * from dispatched on → cancelling (its deployment was cancelled), where the robot's answer decides; → rolling_back, which it only leaves for
 * failed and rolled_back; → waiting, when the order was withdrawn for another target's sake before it took effect.
 * waiting → cancelled (cancelled, superseded, robot removed) or failed (one too many for its robot). Every status that is not terminal has a deadline, which ends it.
 */
export function nextTransition(status: TargetStatus, cause: Cause): Move | undefined {
  const move = proposal(status, cause);
  return move && isLegal(status, move.to) ? move : undefined;
}

function proposal(status: TargetStatus, cause: Cause): Move | undefined {
  switch (cause.kind) {
    case 'dispatched':
      return status === 'waiting' ? { to: 'dispatched', deadline: 'expiry' } : undefined;
    case 'reported':
      return status === 'waiting' ? undefined : reported(status, cause);
    case 'cancelled':
      if (status === 'waiting') return ended('cancelled');
      // What is being undone is undone to its end.
      return status === 'rolling_back' ? undefined : { to: 'cancelling', deadline: 'active' };
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

function reported(from: TargetStatus, cause: Extract<Cause, { kind: 'reported' }>): Move | undefined {
  const { status, isProven, isCancelOrder, reason, message } = cause;
  if (status === 'applied')
    return isProven ? ended('applied', reason, message) : ended('failed', 'digest_mismatch', message);
  if (outcomes.includes(status)) return ended(status as TargetStatus, reason, message);
  if (status === 'rolling_back') return { to: status, deadline: 'active', reason, message };
  if (status === 'cancelled') {
    if (from === 'cancelling') return ended('cancelled', reason, message);
    if (isCancelOrder && isLegal(from, 'waiting')) return { to: 'waiting', deadline: 'expiry' };
    return ended('failed', 'agent_cancelled', message);
  }
  if (from === 'cancelling') return undefined; // it may go on for a while: only the outcome counts
  return tellsProgress(status) ? { to: status as TargetStatus, deadline: 'active', reason, message } : undefined;
}

/** What a cancelled deployment stops: its robots may not have begun, or are to be asked. */
export const cancellableStatuses = targetStatuses.filter((status) => nextTransition(status, { kind: 'cancelled' }));

/** What puts a deployment to work for good: a robot that was given the order. */
const begun = targetStatuses.filter((status) => !['waiting', 'failed', 'cancelled'].includes(status));

/**
 * The status of a deployment whose robots are fixed: a function of their counts, and of whether it was cancelled, has begun or pauses, which
 * the status before tells. All ended: any failed → failed, else any rolled back → rolled_back, else any applied → applied, else cancelled.
 */
export function statusAfter(before: DeploymentStatus, counts: Counts): DeploymentStatus {
  const isOpen = targetStatuses.some((status) => counts[status] > 0 && !isTerminal(status));
  if (isOpen) {
    if (before !== 'pending') return before;
    return begun.some((status) => counts[status] > 0) ? 'in_progress' : 'pending';
  }
  if (counts.failed > 0) return 'failed';
  if (counts.rolled_back > 0) return 'rolled_back';
  return counts.applied > 0 ? 'applied' : 'cancelled';
}

export const noCounts = (): Counts => Object.fromEntries(targetStatuses.map((status) => [status, 0])) as Counts; // one entry for each status
