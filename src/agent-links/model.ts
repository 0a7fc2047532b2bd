import { limits } from '../../generated/protocol.js';
import { rebalanceLimits, type RebalanceLimits } from './rebalancing.ts';

/** Why a link ended, on the robot's timeline. */
export type EndReason =
  | 'ended'
  | 'lost'
  | 'timeout'
  | 'replaced'
  | 'refused'
  | 'unauthorized'
  | 'service_stopped'
  | 'service_lost'
  | 'service_failed'
  | 'rebalanced';

/** A valid hello, with what is known of its agent. */
export interface JoinRequest {
  orgId: string;
  robotId: string;
  agentVersion: string;
  bootId: string;
  instance: string; // of the agent program
  address: string | undefined;
  takesOrders: boolean;
  opensShells: boolean;
  cameras: readonly string[];
  hasTopics: boolean;
  signedOnly: boolean; // it refuses orders without a signature
  asksGates: boolean; // of the robot, before it disturbs it
  keepsWindows: boolean; // of orders
  timezone: string | undefined; // IANA
}

/** The replica that holds a robot's link, and what its agent stated in its hello. */
export interface LinkPlace {
  replicaId: string;
  url: string | undefined; // where other replicas reach it
  opensShells: boolean;
  cameras: readonly string[]; // names; the first is the default
  hasTopics: boolean; // of a ROS graph
}

/** What a replica publishes beside its lease. A replica of an earlier release publishes only its URL. */
export interface ReplicaFacts {
  url: string | undefined; // where others reach it
  artifactsFolder: string | undefined; // ID of the folder with its artifacts
  links: number | undefined; // agent links that are up
}

/** What only the database is told. */
export interface OwnFacts extends ReplicaFacts {
  readsLogObjects: boolean; // it has the object store with older log records
  version: string; // of the service
  secretMarks: readonly string[] | undefined; // of its cluster secrets, the first of which signs; undefined: it has none
}

/** A replica that started before this one. What is undefined, an earlier release did not publish. */
export type EarlierReplica = Pick<OwnFacts, 'artifactsFolder' | 'secretMarks'>;

export interface Replica extends ReplicaFacts {
  id: string;
  leaseUntil: Date;
  isDead: boolean; // its lease has expired, or ends too late to be valid
}

/**
 * Outcome of a request for a link. `gone`: the robot was deleted. `refused`: links of this robot replace one another
 * too fast.
 */
export type JoinOutcome =
  | {
      kind: 'joined';
      epoch: number;
      robotName: string;
      replaced: string | undefined; // the replica that held the link before
      isDuplicate: boolean; // two agents were just found to fight over the identity
      rotationWantedAt: Date | undefined; // since when a rotation of its token is requested
    }
  | { kind: 'refused' }
  | { kind: 'gone' };

/** A link of a robot. A link with a lower epoch than the robot's newest is stale and changes nothing. */
export interface LinkKey {
  orgId: string;
  robotId: string;
  epoch: number;
}

/** A sign of life, with the newest snapshot if there is one: JSON, and what was measured. */
export interface Beat extends LinkKey {
  snapshot: string | undefined;
  measured: Measured | undefined;
  openBlock: OpenBlock | undefined;
}

/** Percent, °C and, for `delay`, ms; undefined: not measured. */
export type Measured = Record<'battery' | 'cpu' | 'memory' | 'disk' | 'temperature' | 'delay', number | undefined>;

/** The samples of a robot that the recorder of metrics keeps in memory; packed. */
export interface OpenBlock {
  startedAt: Date;
  samples: Buffer;
}

/** `epoch` is 0 for a link that was refused before it was up. */
export interface Ending extends LinkKey {
  reason: EndReason;
  code: number | undefined; // the close code, if there was one
  closeReason: string | undefined; // that the service sent with the code
}

/** Why a link is stale: `replaced` by a newer one, `ended` by another replica, or its robot is `gone`. */
export type Staleness = 'replaced' | 'ended' | 'gone';

export interface Health {
  receivedAt: Date;
  snapshot: string; // JSON as the agent sent it, without harmful characters (kernel/sanitize-json.ts)
}

/** Limits of links; a test shortens them. */
export interface LinkLimits {
  helloWithinMs: number;
  pingEveryMs: number;
  deadAfterMs: number;
  maxFramesPerSecond: number; // with a burst of twice as many
  admitPerSecond: number; // new links accepted per second, however busy the process is
  leaseMs: number; // how long a replica counts as alive without a sign of life
  renewEveryMs: number;
  flushEveryMs: number;
  endUnknownEveryMs: number; // how often links are ended that only the database has
  accessPollMs: number; // how often tokens are checked while no hints arrive
  // Minimum age of a sent list of orders before an agent that names another one gets it again.
  resendAfterMs: number;
  overdueEveryMs: number; // how often silent orders are looked for
  pendingEveryMs: number; // how often pending orders are read while the bus is down
  drainPerSecond: number; // minimum number of links closed per second when the service stops
  drainMaxMs: number; // with it the whole stop, notice and final writes included, takes at most 20 s
  rebalance: RebalanceLimits;
}

export const defaultLimits: LinkLimits = {
  helloWithinMs: limits.helloWithinMs,
  pingEveryMs: limits.pingEveryMs,
  deadAfterMs: limits.deadAfterMs,
  maxFramesPerSecond: limits.maxFramesPerSecond,
  admitPerSecond: 500,
  leaseMs: 15_000,
  renewEveryMs: 5_000,
  flushEveryMs: 1_000,
  endUnknownEveryMs: 60_000,
  accessPollMs: 5_000,
  resendAfterMs: 10_000,
  overdueEveryMs: 60_000,
  pendingEveryMs: 5_000,
  drainPerSecond: 500,
  drainMaxMs: 12_000,
  rebalance: rebalanceLimits,
};
