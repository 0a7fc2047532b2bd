/** Reports problems on the robot: when one begins, and when it is over. */
export interface Troubles {
  /** The problem exists now, or still. */
  is(name: string, message: string): void;
  /** The problem is over; reported only if the problem was. */
  over(name: string, message: string): void;
}

/** A problem that comes and goes is reported at most this often. */
const againAfterMs = 10 * 60_000;

/** `now` is in ms and never goes back; default: the monotonic clock. */
export function troublesOf(
  tell: (level: 'warn' | 'info', message: string) => void,
  now: () => number = () => performance.now(),
): Troubles {
  const known = new Map<string, { reportedAt: number; isReported: boolean }>();
  return {
    is(name, message) {
      const state = known.get(name);
      if (state && (state.isReported || now() - state.reportedAt < againAfterMs)) return;
      known.set(name, { reportedAt: now(), isReported: true });
      tell('warn', message);
    },
    over(name, message) {
      const state = known.get(name);
      if (!state?.isReported) return;
      state.isReported = false;
      tell('info', message);
    },
  };
}
