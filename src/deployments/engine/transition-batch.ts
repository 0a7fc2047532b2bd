import type { Locked, LockedDeployment, LockedTarget } from './locked.ts';
import {
  hasEnded,
  isTerminal,
  isInFlight,
  nextTransition,
  statusAfter,
  targetStatuses,
  type TransitionTrigger,
  type Deadline,
  type DeploymentStatus,
  type TargetStatus,
} from './model.ts';

/** One target before and after its changes. */
export interface TargetChange {
  target: LockedTarget;
  before: TargetStatus;
  from: TargetStatus; // before the last of its changes
  deadline: Deadline;
  reason: string | undefined;
  message: string | undefined;
}

export interface DeploymentChange {
  deployment: LockedDeployment;
  before: DeploymentStatus;
  added: Map<TargetStatus, number>; // added to its counts; some less than 0
  events: number;
}

/** One event, with the status of its deployment after it. */
export interface BatchedEvent {
  deployment: LockedDeployment;
  seq: number;
  status: DeploymentStatus;
  robotId: string;
  targetStatus: TargetStatus;
  reason: string | undefined;
  message: string | undefined;
}

export type TransitionBatch = ReturnType<typeof createTransitionBatch>;

/**
 * Applies causes to locked targets, one after the other, and collects what to write. The locked rows change with it, so
 * each cause is judged by the result of those before.
 */
export function createTransitionBatch(locked: Locked) {
  const targets = new Map<LockedTarget, TargetChange>();
  const deployments = new Map<LockedDeployment, DeploymentChange>();
  const events: BatchedEvent[] = [];
  const left = new Set<string>(); // orders that a target left, by ending or returning to waiting
  const stopped = new Set<string>(); // orders that the robot must stop

  /** Returns whether the target moved. `orderId`: the order of a dispatched target. */
  function move(target: LockedTarget, cause: TransitionTrigger, orderId?: string): boolean {
    const { deployment, status: before } = target;
    const made = nextTransition(before, cause);
    if (!made) return false;
    const { to, reason, message } = made;
    // A deadline that has passed, or that a robot's removal brought forward, belongs to the sweeper: only an end
    // overrides it.
    const deadline = target.isDue && made.deadline !== 'ended' ? 'now' : made.deadline;
    target.status = to;
    target.reason = reason;
    if (target.orderId !== undefined && !isInFlight(to)) left.add(target.orderId);
    if (target.orderId !== undefined && to === 'cancelling') stopped.add(target.orderId);
    if (to === 'dispatched') target.orderId = orderId;
    if (to === 'waiting') target.orderId = undefined; // the next order is a new one
    targets.set(target, {
      target,
      before: targets.get(target)?.before ?? before,
      from: before,
      deadline,
      reason,
      message,
    });

    let change = deployments.get(deployment);
    if (!change)
      deployments.set(deployment, (change = { deployment, before: deployment.status, added: new Map(), events: 0 }));
    for (const [status, by] of [
      [before, -1],
      [to, 1],
    ] as const) {
      deployment.counts[status] += by;
      change.added.set(status, (change.added.get(status) ?? 0) + by);
    }
    change.events += 1;
    deployment.status = statusAfter(deployment.status, deployment.counts);
    deployment.eventSeq += 1;
    const { status, eventSeq: seq } = deployment;
    events.push({ deployment, seq, status, robotId: target.robotId, targetStatus: to, reason, message });
    return true;
  }

  return {
    locked,
    move,
    targets: targets as ReadonlyMap<LockedTarget, TargetChange>,
    deployments: deployments as ReadonlyMap<LockedDeployment, DeploymentChange>,
    events: events as readonly BatchedEvent[],
    left: left as ReadonlySet<string>,
    stopped: stopped as ReadonlySet<string>,
    /** Events for the timelines of robots: each dispatch, each end. */
    get timelineEvents(): readonly BatchedEvent[] {
      return events.filter(({ targetStatus }) => targetStatus === 'dispatched' || isTerminal(targetStatus));
    },
  };
}

/** How much each count of a deployment changes, in the order of `targetStatuses`. */
export const deltasOf = ({ added }: DeploymentChange): number[] =>
  targetStatuses.map((status) => added.get(status) ?? 0);

export const endsNow = ({ before, deployment }: DeploymentChange): boolean =>
  !hasEnded(before) && hasEnded(deployment.status);
