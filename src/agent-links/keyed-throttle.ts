/** The shortest time from a run to the next one for the same key: doubled from the first to the longest while they follow each other. */
interface Pauses {
  firstMs: number;
  longestMs: number; // after this time without a run, the next one counts as the first
}

interface Rest<Item> {
  pauseMs: number;
  isOver: boolean;
  again: Item | undefined; // requested during the run or the pause
  timer?: NodeJS.Timeout;
}

/** A pause is so many times as long as the run before it, at least: runs for one key take a sixth of the time at most. */
const pauseFactor = 5;

/**
 * Runs work for a key: at once, and again after a pause if it is requested meanwhile. So what follows a first request
 * closely is soon done too, and a lasting stream of requests costs one run per `longestMs`. One run at a time for all
 * keys. Failed work is reported to `onError` and requested again.
 */
export function keyedThrottle<Item>(
  { firstMs, longestMs }: Pauses,
  work: (item: Item) => Promise<void>,
  onError: (error: unknown) => void,
): { ask(key: string, item: Item): void; stop(): void } {
  const asked = new Map<string, Item>();
  const resting = new Map<string, Rest<Item>>();
  let running = false;
  let stopped = false;

  function begin(key: string): Rest<Item> {
    const last = resting.get(key);
    clearTimeout(last?.timer);
    const rest = { pauseMs: last ? Math.min(last.pauseMs * 2, longestMs) : firstMs, isOver: false, again: undefined };
    resting.set(key, rest);
    return rest;
  }

  function pause(key: string, rest: Rest<Item>, ranMs: number): void {
    if (stopped) return;
    rest.pauseMs = Math.min(Math.max(rest.pauseMs, ranMs * pauseFactor), longestMs);
    rest.timer = setTimeout(() => {
      rest.isOver = true;
      if (rest.again !== undefined) return ask(key, rest.again);
      rest.timer = setTimeout(() => resting.delete(key), longestMs - rest.pauseMs);
      rest.timer.unref();
    }, rest.pauseMs);
    rest.timer.unref();
  }

  function ask(key: string, item: Item): void {
    if (stopped) return;
    const rest = resting.get(key);
    if (rest && !rest.isOver) {
      rest.again = item;
      return;
    }
    asked.set(key, item);
    if (running) return;
    running = true;
    void workOff();
  }

  async function workOff(): Promise<void> {
    for (const [key, item] of asked) {
      asked.delete(key);
      const rest = begin(key);
      const startedAt = performance.now();
      await work(item).catch((error: unknown) => {
        onError(error);
        rest.again ??= item;
      });
      pause(key, rest, performance.now() - startedAt);
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
