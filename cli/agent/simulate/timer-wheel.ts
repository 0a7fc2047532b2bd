/** A task that repeats. */
interface Recurring {
  /** Returns the time to its next run in ms; undefined to end it. */
  run(): number | undefined;
}

/** One timer for any number of tasks: tens of thousands of separate timers would cost more than the tasks. */
export interface TimerWheel {
  add(task: Recurring, inMs: number): void;
  stop(): void;
}

/** Also the shortest interval, and the accuracy. */
const tickMs = 50;

/** Runs until it is stopped. Tasks delayed by other work of the process run later, in order. */
export function startTimerWheel(): TimerWheel {
  /** Tasks by the tick at which they are due; removed when they run. */
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
