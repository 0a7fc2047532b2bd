import type { Knex } from 'knex';
import type { Hint } from './hint.ts';

export type { Hint } from './hint.ts';

/** What a transaction does to announce hints: returned by its work, see `inTransaction`. */
interface Announcement {
  closing: Knex.Raw[];
  onCommit(): void;
}

/** Notifies replicas of each other's changes. */
export interface Bus {
  /** Whether hints arrive without delay. Caches that depend on hints may be used only while this is true. */
  readonly up: boolean;
  /** Sends hints to every replica, including this one, if and only if the transaction commits. */
  announcing(transaction: Knex, hints: readonly Hint[]): Announcement;
  /** Sends hints that nobody depends on: one that is lost stays lost. @throws if the database does not respond */
  send(db: Knex, hints: readonly Hint[]): Promise<void>;
  /**
   * Delivers hints to this replica's listeners at once, for a caller that must see its own change. They arrive again
   * over the bus.
   */
  deliver(hints: readonly Hint[]): void;
  /** `reset`: hints may have been lost; discard every cache that depends on them. */
  subscribe(listener: Listener): void;
}

export interface Listener {
  hint(hint: Hint): void;
  reset(): void;
}
