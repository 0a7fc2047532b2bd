import type { Knex } from 'knex';

/** That something changed: ids only, less than 1 KiB. The row in Postgres is the truth; a lost hint costs delay, never truth. */
export type Hint =
  /** Somebody of the org lost a right: what is remembered of its tokens is to be asked anew. */
  | { topic: 'access_changed'; orgId: string }
  /** A newer link of a robot, of this epoch, took the place of one that another replica holds. */
  | { topic: 'link_changed'; orgId: string; robotId: string; epoch: number }
  /** An operator wants a new value for the token of a robot, since then: 0 from a replica of the previous release, which does not say. */
  | { topic: 'rotation_wanted'; orgId: string; robotId: string; wantedAtMs: number }
  /** A robot was removed, and what it had to do ends. */
  | { topic: 'robot_removed'; orgId: string; robotId: string }
  /** A deployment is due, or another may be sooner than the next that is known. */
  | { topic: 'deployment_due'; orgId: string }
  /** Somebody at this replica follows the logs of a robot; to be said again before half a minute is over. */
  | { topic: 'logs_followed'; orgId: string; robotId: string; replicaId: string }
  /** There is more in the logs of a robot that somebody follows elsewhere. */
  | { topic: 'logs_stored'; orgId: string; robotId: string }
  /** Robots of a deployment have something new to do or to stop. */
  | { topic: 'orders_changed'; orgId: string; deploymentId: string };

/** How replicas tell one another. */
export interface Bus {
  /** Whether hints arrive now. What is cached on the strength of hints may be used only while this is true. */
  readonly up: boolean;
  /** The statements that send hints to every replica, this one included, when their transaction commits. */
  announcing(transaction: Knex, hints: Hint[]): Knex.Raw[];
  /** Hands hints to this replica's listeners at once, for a caller that must see its own change. They arrive again over the bus. */
  deliver(hints: Hint[]): void;
  /** `reset` says that hints may have been lost: forget everything that they keep true. */
  subscribe(listener: { hint(hint: Hint): void; reset(): void }): void;
}
