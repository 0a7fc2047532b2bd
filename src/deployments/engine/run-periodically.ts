interface PeriodicRunSettings {
  /** Does the work, and returns when to run again, in ms. */
  run(): Promise<number>;
  /** When to run again after a failure, in ms. */
  retryMs: number;
  onError(error: unknown): void;
}

/**
 * Longest pause of work that a watch wakes when it is due, 45 to 60 s: what no watch finds, such as leftovers, is found by
 * then. It differs each time, so that the works of a replica do not all need a connection at the same moment.
 */
export const longestPauseMs = (): number => 60_000 * (0.75 + Math.random() / 4);

/** Runs work periodically and on wake-up, one run at a time. A wake-up during a run causes another run after it. */
export function runPeriodically({ run, retryMs, onError }: PeriodicRunSettings) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isStarted = false;
  let stopping = false;

  // A function, because it changes while the work is awaited.
  const isToRunAgain = () => isWoken && !stopping;

  async function work(): Promise<void> {
    let againMs: number;
    do {
      isWoken = false;
      againMs = await run().catch((error: unknown) => {
        onError(error);
        isWoken = false; // an unavailable database is not queried without a pause
        return retryMs;
      });
    } while (isToRunAgain());
    running = undefined;
    if (stopping) return;
    timer = setTimeout(wake, againMs);
    timer.unref();
  }

  function wake(): void {
    isWoken = true;
    if (running || stopping || !isStarted) return;
    clearTimeout(timer);
    running = work();
  }

  return {
    get stopping() {
      return stopping;
    },
    start(): void {
      isStarted = true;
      wake();
    },
    wake,
    /** Waits for the current run; no run follows it. */
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
