import type { KeptLine } from './normalise.ts';

/** One spool of one robot, as of one link. */
interface SpoolRef {
  orgId: string;
  robotId: string;
  epoch: number; // of the link: the robot's newest link has the highest
  spool: string;
}

/** What one link sent of one spool, stored whole or not at all. */
export interface Delivery extends SpoolRef {
  fromSeq: number; // of the first record, in the spool's numbers
  toSeq: number;
  lines: readonly KeptLine[];
  ignoresQuota?: boolean; // of log bytes: gap records that stand for refused records
}

export type StoreOutcome =
  | 'stored'
  | 'stale' // the link is not the robot's newest, or the robot is gone
  | 'refused' // the org has stored its quota of log bytes of today
  | 'reopened' // the same until now: store it again
  | 'behind'; // some of it is stored already, or how far the spool is stored is not known any more: read it again

/** Stores records so that each is there once, in the order of the spool. */
export interface LogStore {
  /** How far each spool is stored: 0 for a new one, undefined if there is no such robot. */
  readHeads(spools: readonly SpoolRef[]): Promise<(number | undefined)[]>;
  /**
   * Stores each delivery, and numbers its records. At most one delivery per robot. Nothing is stored of a link that is
   * not the newest. After an error a delivery may be stored or not. A robot's `received_at` never goes back, unless the
   * database's clock was ahead by more than an hour.
   */
  store(deliveries: readonly Delivery[]): Promise<StoreOutcome[]>;
}
