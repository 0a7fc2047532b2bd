import type pg from 'pg';
import type { Message } from './hint.ts';

/** Brings hints faster than the log of hints: NOTIFY or NATS. */
export interface Carrier {
  /** Whether its messages arrive, as the last check says. */
  readonly isHeard: boolean;
  /** On a new connection to Postgres. */
  open(client: pg.Client): Promise<void>;
  /** Each second: sends a message to this replica alone, which must arrive before the next check. */
  check(client: pg.Client): Promise<void>;
  close(): Promise<void>;
}

/** What a carrier does with messages of other replicas. */
export interface CarrierEvents {
  onMessage(message: Message): void;
  /** A message of a newer replica that this release does not know, or some may be lost. */
  onLost(): void;
}
