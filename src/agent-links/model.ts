import { limits } from '../../generated/protocol.js';
import { rebalanceLimits, type RebalanceLimits } from './rebalancing.ts';

/** What ends a link, on the robot's timeline. */
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

/** A hello that was understood, with what is known of who said it. */
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
}

/** The replica that holds a robot's link, and what its agent said of itself. */
export interface LinkPlace {
  replicaId: string;
  url: string | undefined; // where other replicas reach it
  opensShells: boolean;
  cameras: readonly string[]; // names; the first is the default
  hasTopics: boolean; // of a ROS graph
}

/** What a replica tells the others beside its lease; one of an earlier release tells only its URL. */
export interface ReplicaFacts {
  url: string | undefined; // where others reach it
  artifactsFolder: string | undefined; // ID of the folder that keeps its artifacts
  links: number | undefined; // agent links that are up
}

export interface Replica extends ReplicaFacts {
  id: string;
  leaseUntil: Date;
  isDead: boolean; // its lease has run out
}

/** What became of a request for a link. `gone`: the robot was deleted; `refused`: links of this robot replace one another too fast. */
export type Joined =
  | {
      kind: 'joined';
      epoch: number;
      robotName: string;
      replaced: string | undefined; // the replica that held the link before
      isDuplicate: boolean; // two agents were found to fight over the identity just now
      rotationWantedAt: Date | undefined; // since when the agent is to ask for a new value of its token
    }
  | { kind: 'refused' }
  | { kind: 'gone' };

/** Which link of which robot; a link with a lower epoch than the robot's newest is stale and changes nothing. */
export interface LinkKey {
  orgId: string;
  robotId: string;
  epoch: number;
}

/** A sign of life, with the newest snapshot if there is one: JSON. */
export interface Beat extends LinkKey {
  snapshot: string | undefined;
}

/** `epoch` is 0 for a link that was refused before it was up. */
export interface Ending extends LinkKey {
  reason: EndReason;
  code: number | undefined; // the close code, where there was one
  closeReason: string | undefined; // that the service gave with the code
}

/** Why a link is stale: `replaced` by a newer one, `ended` by another replica, or its robot is `gone`. */
export type Staleness = 'replaced' | 'ended' | 'gone';

export interface Health {
  receivedAt: Date;
  snapshot: string; // JSON, as the agent sent it but for what is harmful (kernel/harmless.ts)
}

/** Limits of links; a test shortens them. */
export interface LinkLimits {
  helloWithinMs: number;
  pingEveryMs: number;
  deadAfterMs: number;
  maxFramesPerSecond: number; // over a burst of twice as many
  admitPerSecond: number; // new links that are let in however busy the process is
  leaseMs: number; // how long a replica counts as alive without a sign of life
  renewEveryMs: number;
  flushEveryMs: number;
  accessPollMs: number; // how often tokens are asked for while no hints arrive
  resendAfterMs: number; // how long a list of orders is out before an agent that names another one gets it again
  overdueEveryMs: number; // how often orders are looked for of which nothing is heard
  pendingEveryMs: number; // how often pending orders are read while the bus is down
  drainPerSecond: number; // links that are closed a second at least when the service stops
  drainMaxMs: number; // with it the stop, notice and last words included, is over within 20 s
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
  accessPollMs: 5_000,
  resendAfterMs: 10_000,
  overdueEveryMs: 60_000,
  pendingEveryMs: 5_000,
  drainPerSecond: 500,
  drainMaxMs: 12_000,
  rebalance: rebalanceLimits,
};
