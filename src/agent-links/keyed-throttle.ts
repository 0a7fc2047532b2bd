/**
 * Runs work for a key: at once, but for one key at most every `pauseMs`. Requests during the pause are merged into one
 * run after it. One run at a time for all keys. Failed work is reported to `onError` and requested again.
 */
export function keyedThrottle<Item>(
  pauseMs: number,
  work: (item: Item) => Promise<void>,
  onError: (error: unknown) => void,
): { ask(key: string, item: Item): void; stop(): void } {
  const asked = new Map<string, Item>();
  const resting = new Map<string, { timer: NodeJS.Timeout; again: Item | undefined }>();
  let running = false;
  let stopped = false;

  function rest(key: string): void {
    const timer = setTimeout(() => {
      const again = resting.get(key)?.again;
      resting.delete(key);
      if (again !== undefined) ask(key, again);
    }, pauseMs);
    timer.unref();
    resting.set(key, { timer, again: undefined });
  }

  function ask(key: string, item: Item): void {
    if (stopped) return;
    const rested = resting.get(key);
    if (rested) rested.again = item;
    else asked.set(key, item);
    if (running || rested) return;
    running = true;
    void workOff();
  }

  async function workOff(): Promise<void> {
    for (const [key, item] of asked) {
      asked.delete(key);
      rest(key);
      await work(item).catch((error: unknown) => {
        onError(error);
        ask(key, item);
      });
    }
    running = false;
  }

  return {
    ask,
    stop() {
      stopped = true;
      asked.clear();
      for (const { timer } of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
