import type { Knex } from 'knex';

/** A hint that something changed: ids only, less than 1 KiB. The row in Postgres is the truth; a lost hint costs delay, never truth. */
export interface Hint {
  topic: 'access_changed';
  orgId: string;
}

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
  close(): Promise<void>;
}
