import type { Counts, DeploymentStatus, TargetStatus } from './model.ts';

export interface TargetKey {
  orgId: string;
  deploymentId: string;
  robotId: string;
}

export interface OrderKey {
  orgId: string;
  orderId: string;
}

export interface LockedDeployment {
  orgId: string;
  id: string;
  status: DeploymentStatus;
  lane: string;
  payloadKey: string;
  payloadDigest: string;
  proof: string;
  name: string; // for people: the tag of the release, or the namespace and key
  signature: string | undefined;
  keyId: string | undefined;
  orderTerms: string | undefined; // JSON
  activeMinutes: number;
  startedAt: Date;
  waitingUntil: Date | undefined; // targets that wait do not expire before, as it was paused
  holdsWaiting: boolean; // they do not expire now
  openWave: number | undefined; // of a rollout, the latest wave that has begun
  isFrozen: boolean; // nothing of it is dispatched
  isHolding: boolean; // it is paused, or its last wave has not begun: what it caused waits too
  waitsForMaintenance: boolean; // its robots do
  traceContext: string | undefined; // of the request that created it
  releaseId: string | undefined;
  configId: string | undefined;
  revision: number | undefined;
  counts: Counts;
  eventSeq: number; // of the last event
}

export const isRollout = ({ openWave }: LockedDeployment): boolean => openWave !== undefined;

export interface LockedTarget {
  deployment: LockedDeployment;
  robotId: string;
  wave: number; // 1 without a rollout
  status: TargetStatus;
  isReleased: boolean; // its wave has begun, and it is admitted
  reason: string | undefined; // why it has this status
  orderId: string | undefined;
  // Its deadline has passed, by the clock after the lock: a transaction that was waited for may have brought it
  // forward.
  isDue: boolean;
}

export interface LockedOrder {
  orgId: string;
  id: string;
  robotId: string;
  proof: string;
  isCancelled: boolean;
  hasEnded: boolean;
  isQuiet: boolean; // not reported on for a quarter of the time after which it is sent again
}

/** Rows as they are under the locks of this transaction. Rows that were skipped or removed are absent. */
export interface Locked {
  deployments: ReadonlyMap<string, LockedDeployment>; // by id
  orders: ReadonlyMap<string, LockedOrder>; // by id
  find(key: TargetKey): LockedTarget | undefined;
  /** The targets that an order carries. */
  onOrder(orderId: string): readonly LockedTarget[];
}
