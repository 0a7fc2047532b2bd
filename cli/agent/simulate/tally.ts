/** Totals of the simulated robots so far. The names are those of the printed totals. */
export interface Tally {
  connects: number;
  disconnects: number;
  heartbeats: number;
  snapshots: number;
  log_frames: number;
  log_records: number;
  log_records_acknowledged: number;
  /** Not sent, because too many frames awaited an acknowledgement. */
  log_records_dropped: number;
  acknowledgements: number;
  /** Links that the profile closed on purpose. */
  flaps: number;
  /** Long outages that the profile began. */
  outages: number;
  orders_begun: number;
  orders_applied: number;
  orders_failed: number;
  orders_rolled_back: number;
  orders_cancelled: number;
  /** Orders without an end, after the service gave them up. */
  orders_timed_out: number;
  /** Times that an order began to wait for a gate or window. */
  gate_waits: number;
  /** Releases in whose place something else ran after a while. */
  drifts: number;
  reports: number;
  report_acks: number;
}

/** The state of a robot: `away` is between two links on purpose, `refused` is permanent. */
export type Whereabouts = 'new' | 'connecting' | 'up' | 'waiting' | 'away' | 'refused';

export interface Counts extends Tally {
  robots: Record<Whereabouts, number>;
  /** Why links ended or failed, with the number of times for each reason. */
  reasons: Map<string, number>;
}

export const emptyCounts = (): Counts => ({
  connects: 0,
  disconnects: 0,
  heartbeats: 0,
  snapshots: 0,
  log_frames: 0,
  log_records: 0,
  log_records_acknowledged: 0,
  log_records_dropped: 0,
  acknowledgements: 0,
  flaps: 0,
  outages: 0,
  orders_begun: 0,
  orders_applied: 0,
  orders_failed: 0,
  orders_rolled_back: 0,
  orders_cancelled: 0,
  orders_timed_out: 0,
  gate_waits: 0,
  drifts: 0,
  reports: 0,
  report_acks: 0,
  robots: { new: 0, connecting: 0, up: 0, waiting: 0, away: 0, refused: 0 },
  reasons: new Map(),
});
