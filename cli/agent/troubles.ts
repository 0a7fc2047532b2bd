/** Tells of what goes wrong on the robot: when it begins, and when it is over. */
export interface Troubles {
  /** It goes wrong now, or still. */
  is(name: string, message: string): void;
  /** It goes well; told only if it was told that it goes wrong. */
  over(name: string, message: string): void;
}

/** One that comes and goes is told this often at most. */
const againAfterMs = 10 * 60_000;

/** `now` is in ms and never goes back; default: the monotonic clock. */
export function troublesOf(
  tell: (level: 'warn' | 'info', message: string) => void,
  now: () => number = () => performance.now(),
): Troubles {
  const known = new Map<string, { toldAt: number; isTold: boolean }>();
  return {
    is(name, message) {
      const state = known.get(name);
      if (state && (state.isTold || now() - state.toldAt < againAfterMs)) return;
      known.set(name, { toldAt: now(), isTold: true });
      tell('warn', message);
    },
    over(name, message) {
      const state = known.get(name);
      if (!state?.isTold) return;
      state.isTold = false;
      tell('info', message);
    },
  };
}
