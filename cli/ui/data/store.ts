/** State kept outside the components that draw it. */
export interface Readable<S> {
  /** The same object until it changes. */
  get(): S;
  /**
   * `listener` is called synchronously after each change; the drawing code batches changes. Returns the function that
   * ends it.
   */
  subscribe(listener: () => void): () => void;
}

export interface Store<S> extends Readable<S> {
  set(next: S): void;
  update(change: (now: S) => S): void;
}

export function createStore<S>(initial: S): Store<S> {
  let state = initial;
  const listeners = new Set<() => void>();
  function set(next: S): void {
    if (Object.is(next, state)) return;
    state = next;
    for (const listener of [...listeners]) listener();
  }
  return {
    get: () => state,
    set,
    update: (change) => set(change(state)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
