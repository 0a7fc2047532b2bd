/** What the simulation takes from measurements, each with the row of docs/reference/performance.md that has it. */
export const costs = {
  /** R4: 95 % of 5,000 robots of one replica had their order, and the first report acknowledged, after 0.569 s. */
  ordersPerSecond: (0.95 * 5_000) / 0.569,
  /** D1: all targets of 100,000 robots. */
  targetsSeconds: 0.328,
  /** D2: wall time of a report while one process records all of them. */
  reportSeconds: 115e-6,
  /** D2: of a replica and Postgres together. */
  reportCpuSeconds: 133e-6,
} as const;

/** What the service does, from its code. */
export const rules = {
  /** Links that a replica accepts per second, however busy it is (src/agent-links/model.ts). */
  admitPerSecond: 500,
  /** Longest wait that a refused agent is asked for (src/platform/ws/admission.ts). */
  longestRetrySeconds: 30,
} as const;

/** A cell, and how many there are. */
export const shape = { cells: 10, robots: 100_000, replicas: 8 } as const;
