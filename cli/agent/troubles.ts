/** Tells of what goes wrong on the robot: when it begins, and when it is over. */
export interface Troubles {
  /** It goes wrong now, or still. */
  is(name: string, message: string): void;
  /** It is well again; reported only if the trouble was. */
  over(name: string, message: string): void;
}

/** One that comes and goes is reported this often at most. */
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
