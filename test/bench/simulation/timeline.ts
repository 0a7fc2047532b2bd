/** Length of a step. */
export const stepSeconds = 0.01;

/** What is due in each step, in the order in which it was added. */
export interface Timeline {
  add(atSeconds: number, robot: number): void;
  /** Whether nothing is due in any step to come. */
  readonly isEmpty: boolean;
  /** Takes what is due in the next step. */
  next(): { atSeconds: number; due: readonly number[] };
}

export function timeline(): Timeline {
  const steps: number[][] = [];
  let now = 0;
  let left = 0;
  return {
    add(atSeconds, robot) {
      const step = Math.max(now, Math.ceil(atSeconds / stepSeconds));
      (steps[step] ??= []).push(robot);
      left += 1;
    },
    get isEmpty() {
      return left === 0;
    },
    next() {
      const due = steps[now] ?? [];
      steps[now] = [];
      left -= due.length;
      return { atSeconds: now++ * stepSeconds, due };
    },
  };
}
