export type DatabaseClock = ReturnType<typeof databaseClock>;

/**
 * The clock of the database, so that replicas whose machines differ agree on the time. Until it is first observed, it is
 * the clock of this machine.
 */
export function databaseClock() {
  let startMs: number | undefined; // by the database, when performance.now() was 0
  return {
    /** Unix time in ms. */
    nowMs: (): number => (startMs === undefined ? Date.now() : startMs + performance.now()),

    /** `readMs`: what a statement read. `sentMs`: performance.now() when it was sent. */
    observe(readMs: number, sentMs: number): void {
      startMs = readMs - (sentMs + performance.now()) / 2; // it was read about halfway
    },
  };
}
