const slotCount = 50;
/** A clock that was stopped for longer has stopped with the process (SIGSTOP, a suspended machine): that time is nobody's silence. */
const maxStepMs = 1_000;

export interface Wheel<Item> {
  /** Milliseconds of running since the wheel was made, to the length of one slot. */
  readonly nowMs: number;
  readonly size: number;
  add(item: Item): void;
  delete(item: Item): void;
  items(): Generator<Item>;
  stop(): void;
}

/** Visits each item once in `periodMs`, spread evenly, by one timer for all. */
export function timerWheel<Item extends { slot: number }>(periodMs: number, visit: (item: Item) => void): Wheel<Item> {
  const slots = Array.from({ length: slotCount }, () => new Set<Item>());
  const slotMs = periodMs / slotCount;
  let nowMs = 0;
  let size = 0;
  let at = 0;
  let nextSlot = 0;
  let behindMs = 0;
  let last = performance.now();

  function turn(): void {
    const now = performance.now();
    const stepMs = Math.min(now - last, maxStepMs);
    last = now;
    nowMs += stepMs;
    // No more than one round: to visit an item twice at once says nothing new.
    behindMs = Math.min(behindMs + stepMs, periodMs);
    for (; behindMs >= slotMs; behindMs -= slotMs) {
      at = (at + 1) % slotCount;
      for (const item of slots[at] ?? []) visit(item);
    }
  }

  // Much less often than every few milliseconds wins nothing: a turn visits all slots that are due.
  const timer = setInterval(turn, Math.max(slotMs, 10));
  timer.unref();
  return {
    get nowMs() {
      return nowMs;
    },
    get size() {
      return size;
    },
    add(item) {
      // In turn, not by when they came: those of a storm would all be visited at once ever after.
      item.slot = nextSlot = (nextSlot + 1) % slotCount;
      slots[item.slot]?.add(item);
      size += 1;
    },
    delete(item) {
      if (slots[item.slot]?.delete(item)) size -= 1;
    },
    *items() {
      for (const slot of slots) yield* slot;
    },
    stop: () => clearInterval(timer),
  };
}
