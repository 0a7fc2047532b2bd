import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createStore, type Readable } from './data/store.ts';
import { unlimited, type FrameRate } from './terminal/frame-rate.ts';

/** How soon changes are drawn; without a provider, at once. */
export const FrameRateContext = createContext<FrameRate>(unlimited);

/** The state of a store; renders again when it changes. */
export function useReadable<S>(readable: Readable<S>): S {
  const pace = useContext(FrameRateContext);
  const subscribe = useCallback(
    (listener: () => void) => {
      const end = readable.subscribe(() => pace.soon(listener));
      return () => {
        end();
        pace.forget(listener);
      };
    },
    [readable, pace],
  );
  return useSyncExternalStore(subscribe, readable.get);
}

/**
 * Draws plain data from these stores and the time. Draws when a store changes, and once a second; renders again only
 * when the data differs.
 */
export function useDrawn<D>(sources: readonly Readable<unknown>[], draw: () => D): D {
  const pace = useContext(FrameRateContext);
  const last = useRef<{ key: string; drawn: D; by: () => D } | undefined>(undefined);
  // React calls the snapshot function again after a render: the same drawing is then reused.
  const isDue = useRef(true);
  const same = useSame(sources);
  const subscribe = useCallback(
    (listener: () => void) => {
      const notify = () => {
        isDue.current = true;
        listener();
      };
      isDue.current = true;
      const look = () => pace.soon(notify);
      const ends = same.map((source) => source.subscribe(look));
      const timer = setInterval(look, 1000);
      return () => {
        ends.forEach((end) => end());
        clearInterval(timer);
        pace.forget(notify);
      };
    },
    [same, pace],
  );
  return useSyncExternalStore(subscribe, () => {
    if (last.current?.by === draw && !isDue.current) return last.current.drawn;
    isDue.current = false;
    const drawn = draw();
    const key = JSON.stringify(drawn);
    last.current = { key, drawn: last.current?.key === key ? last.current.drawn : drawn, by: draw };
    return last.current.drawn;
  });
}

/** Keeps these up to date while the component is mounted. */
export function useWants(wanted: readonly { want(): () => void }[]): void {
  const same = useSame(wanted);
  useEffect(() => {
    const ends = same.map((resource) => resource.want());
    return () => ends.forEach((end) => end());
  }, [same]);
}

/** Keeps these up to date; returns a store that changes whenever one of them does. */
export function useWatched(wanted: readonly (Readable<unknown> & { want(): () => void })[]): Readable<number> {
  const [changes] = useState(() => createStore(0));
  const same = useSame(wanted);
  useWants(same);
  useEffect(() => {
    const ends = same.map((resource) => resource.subscribe(() => changes.update((count) => count + 1)));
    return () => ends.forEach((end) => end());
  }, [same, changes]);
  return changes;
}

/** Whether the component has been mounted for this long. */
export function useIsAfter(ms: number): boolean {
  const [isAfter, setIsAfter] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsAfter(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isAfter;
}

/** The value, once it has not changed for this long: what follows a cursor need not follow each step. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}

/** The same array while its items are the same: React compares two arrays only up to the length of the shorter one. */
function useSame<T>(things: readonly T[]): readonly T[] {
  const kept = useRef(things);
  if (things.length !== kept.current.length || things.some((thing, index) => thing !== kept.current[index]))
    kept.current = things;
  return kept.current;
}
