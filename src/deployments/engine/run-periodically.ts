interface PeriodicRunSettings {
  /** Does what is to be done, and gives when to look again, in ms. */
  run(): Promise<number>;
  /** When to look again after it failed. */
  retryMs: number;
  onError(error: unknown): void;
}

/** Runs work now and then, and when it is woken; one run at a time. Whoever wakes it during a run gets another run after it. */
export function runPeriodically({ run, retryMs, onError }: PeriodicRunSettings) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isWoken = false;
  let isStarted = false;
  let stopping = false;

  // As a function: it changes while the work is awaited.
  const isToRunAgain = () => isWoken && !stopping;

  async function work(): Promise<void> {
    let againMs: number;
    do {
      isWoken = false;
      againMs = await run().catch((error: unknown) => {
        onError(error);
        isWoken = false; // a database that is away is not asked without a pause
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
    /** Waits for the run that is on its way; there is none after it. */
    async stop(): Promise<void> {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
