import type { Knex } from 'knex';

/** Notice of a change: ids only, less than 1 KiB. The row in Postgres is authoritative; a lost hint only adds delay. */
export type Hint =
  /** A member of the org lost a right: discard what is cached about its tokens. */
  | { topic: 'access_changed'; orgId: string }
  /** A newer link of a robot, with this epoch, replaced one that another replica holds. */
  | { topic: 'link_changed'; orgId: string; robotId: string; epoch: number }
  /**
   * An operator requested a token rotation for a robot at this time. 0: from a replica of the previous release, which
   * does not send it.
   */
  | { topic: 'rotation_wanted'; orgId: string; robotId: string; wantedAtMs: number }
  /** Condition rules or maintenance windows of the org changed, or robots await a review. */
  | { topic: 'conditions_changed'; orgId: string }
  /** Log redaction rules of the org changed. */
  | { topic: 'redactions_changed'; orgId: string }
  /** A robot moved, its labels changed, or a pin or maintenance holds it no longer. */
  | { topic: 'robot_changed'; orgId: string; robotId: string }
  /** A robot was removed; its pending work ends. */
  | { topic: 'robot_removed'; orgId: string; robotId: string }
  /** A deployment is due, or one may become due before the next known due time. */
  | { topic: 'deployment_due'; orgId: string }
  /** This replica has viewers that follow the logs of a robot. Repeat within 30 s. */
  | { topic: 'logs_followed'; orgId: string; robotId: string; replicaId: string }
  /** New log entries are stored for a robot that another replica follows. */
  | { topic: 'logs_stored'; orgId: string; robotId: string }
  /** Robots of a deployment have new orders, or orders to stop. */
  | { topic: 'orders_changed'; orgId: string; deploymentId: string };

/** Notifies replicas of each other's changes. */
export interface Bus {
  /** Whether hints arrive now. Caches that depend on hints may be used only while this is true. */
  readonly up: boolean;
  /** The statements that send hints to every replica, including this one, when their transaction commits. */
  announcing(transaction: Knex, hints: Hint[]): Knex.Raw[];
  /**
   * Delivers hints to this replica's listeners at once, for a caller that must see its own change. They arrive again
   * over the bus.
   */
  deliver(hints: Hint[]): void;
  /** `reset`: hints may have been lost; discard every cache that depends on them. */
  subscribe(listener: { hint(hint: Hint): void; reset(): void }): void;
}
