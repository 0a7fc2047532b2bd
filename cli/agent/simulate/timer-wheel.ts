/** Something that happens again and again. */
interface Recurring {
  /** Gives the time to its next run in ms; undefined for no other. */
  run(): number | undefined;
}

/** One timer for any number of things: tens of thousands of timers of their own would cost more than what they do. */
export interface TimerWheel {
  add(task: Recurring, inMs: number): void;
  stop(): void;
}

/** Also the shortest span and the accuracy. */
const tickMs = 50;

/** It turns until it is stopped. What comes late, because the process had other work, is made up for in order. */
export function startTimerWheel(): TimerWheel {
  /** By the tick at which they are due; emptied as they pass. */
  const slots = new Map<number, Recurring[]>();
  const startedAt = performance.now();
  let tick = 0;

  function add(task: Recurring, inMs: number): void {
    const due = tick + Math.max(1, Math.round(inMs / tickMs));
    const slot = slots.get(due);
    if (slot) slot.push(task);
    else slots.set(due, [task]);
  }

  function turn(): void {
    const now = Math.floor((performance.now() - startedAt) / tickMs);
    while (tick < now) {
      tick += 1;
      const slot = slots.get(tick);
      slots.delete(tick);
      for (const task of slot ?? []) {
        const next = task.run();
        if (next !== undefined) add(task, next);
      }
    }
  }

  const timer = setInterval(turn, tickMs);
  return { add, stop: () => clearInterval(timer) };
}
