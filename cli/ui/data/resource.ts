import { backoffMs } from '../../transport/backoff.ts';
import type { Resource } from './data.ts';
import type { Freshness, Snapshot, Failure } from './freshness.ts';
import { createStore } from './store.ts';
import { failureOf } from './failure.ts';
import type { ConnectionMonitor } from './connection-monitor.ts';
import { countReferences, type ReferenceCount } from './reference-count.ts';

/** Requests may take one part in this many of the time; if needed, the pause between them is longer than usual. */
const shareOfTime = 20;
/** Limit of that pause, however long requests take. */
const longestRestMs = 30_000;

interface Polled<T> {
  everyMs: number;
  /** Returns `before` itself if nothing changed. `workMs`: its time beyond the round trip. */
  fetch: (before: T | undefined) => Promise<{ value: T; workMs: number }>;
  monitor: Pick<ConnectionMonitor, 'free' | 'blockingFailure'>;
  now: () => number;
  lingerMs?: number | undefined;
  /** Called when the first reference is taken, and when the last is released. */
  onActive?: (isActive: boolean) => void;
}

export interface PolledResource<T> extends Resource<T>, Pick<ReferenceCount, 'idleSinceMs'> {
  /** Marks the value as stale for this reason. */
  doubt(failure: Failure): void;
  /** Discards the value: it is another org's. */
  reset(): void;
  end(): void;
}

/**
 * A resource that is polled while it is wanted, one call at a time.
 *
 *   loading  wanted, and no response since; a value is of an earlier time
 *   live     a response came, and the next poll is on schedule
 *   stale    there is a value, but requests failed since, or are blocked
 *   failed   the same without a value
 */
export function polled<T>({ everyMs, fetch, monitor, now, lingerMs, onActive }: Polled<T>): PolledResource<T> {
  const store = createStore<Snapshot<T>>({ value: undefined, freshness: { kind: 'loading' } });
  let polling: AbortController | undefined;
  let asking: Promise<number> | undefined;
  let atMs = 0;
  let waits = backoffMs();
  /** Responses to requests from before a reset are ignored. */
  let round = 0;
  let isDue = false;
  let wake: () => void = () => undefined;
  const references = countReferences({ begin, end, now, lingerMs });

  function begin(): void {
    onActive?.(true);
    const failure = monitor.blockingFailure();
    if (failure) doubt(failure);
    polling = new AbortController();
    void poll(polling.signal);
  }

  function end(): void {
    onActive?.(false);
    polling?.abort();
    // Polling has stopped: a later viewer must not take the value as current.
    const { value, freshness } = store.get();
    if (freshness.kind === 'live') store.set({ value, freshness: { kind: 'loading', atMs } });
  }

  async function poll(signal: AbortSignal): Promise<void> {
    for (;;) {
      await monitor.free(signal);
      if (signal.aborted) return;
      isDue = false;
      const restMs = await (asking ??= ask().finally(() => (asking = undefined)));
      await rest(restMs, signal);
    }
  }

  /** Returns the pause before the next request, in ms. */
  async function ask(): Promise<number> {
    const mine = round;
    const { value: before } = store.get();
    try {
      const { value, workMs } = await fetch(before);
      if (mine !== round) return 0;
      waits = backoffMs();
      const restMs = Math.max(everyMs, Math.min(workMs * (shareOfTime - 1), longestRestMs));
      settle(value, restMs);
      return restMs;
    } catch (error) {
      // Another request follows at once, perhaps as another user: its outcome counts.
      if (mine !== round || isDue) return 0;
      waver(failureOf(error));
      return Math.max(everyMs, waits.next().value);
    }
  }

  function rest(ms: number, signal: AbortSignal): Promise<void> {
    if (isDue || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      signal.addEventListener('abort', go);
      wake = go;
    });
  }

  function settle(value: T, restMs: number): void {
    atMs = now();
    const { value: before, freshness } = store.get();
    if (!references.isActive()) return store.set({ value, freshness: { kind: 'loading', atMs } });
    // Nothing to draw: only the time advances.
    if (Object.is(value, before) && freshness.kind === 'live') Object.assign(freshness, { atMs, restMs });
    else store.set({ value, freshness: { kind: 'live', atMs, restMs } });
  }

  function waver(failure: Failure): void {
    const { value } = store.get();
    const freshness: Freshness = value === undefined ? { kind: 'failed', failure } : { kind: 'stale', atMs, failure };
    store.set({ value, freshness });
  }

  function doubt(failure: Failure): void {
    const { kind } = store.get().freshness;
    if (kind === 'live' || kind === 'loading') waver(failure);
  }

  function refresh(): void {
    isDue = true;
    wake();
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    want: references.want,
    idleSinceMs: references.idleSinceMs,
    refresh,
    doubt,
    reset() {
      round += 1;
      store.set({ value: undefined, freshness: { kind: 'loading' } });
      refresh();
    },
    end() {
      round += 1;
      references.stop();
    },
  };
}
