const slotCount = 50;
/**
 * A longer step means that the process was stopped (SIGSTOP, a suspended machine): that time counts as no one's
 * silence.
 */
const maxStepMs = 1_000;

export interface Wheel<Item> {
  /** Milliseconds that the process ran since the wheel was created, to the length of one slot. */
  readonly nowMs: number;
  readonly size: number;
  add(item: Item): void;
  delete(item: Item): void;
  items(): Generator<Item>;
  stop(): void;
}

/** Visits each item once per `periodMs`, evenly spread, with one timer for all. */
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
    // At most one round: visiting an item twice at once finds nothing new.
    behindMs = Math.min(behindMs + stepMs, periodMs);
    for (; behindMs >= slotMs; behindMs -= slotMs) {
      at = (at + 1) % slotCount;
      for (const item of slots[at] ?? []) visit(item);
    }
  }

  // Running more often than every few milliseconds gains nothing: a turn visits all slots that are due.
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
      // In turn, not by arrival: links of a reconnect storm would be visited together ever after.
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
