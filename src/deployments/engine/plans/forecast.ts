import { windowState, type CalendarWindow } from '../../../kernel/calendar/windows.ts';
import { parseDuration } from '../../../kernel/duration.ts';
import { windowFor, type Rollout, type RolloutPace } from '../../../rollout-policies/service.ts';

/*
 * When the waves of a plan begin and end if it is executed now: an estimate without side effects, from the rollout and what is
 * known of its robots. Disruption budgets, gates and downloads per site are not part of it.
 */

/** How long a robot takes from the order until it has applied it. */
export interface RobotDuration {
  robots: number; // that were measured; 0: the default
  medianSeconds: number;
  p90Seconds: number;
}

/** Why a time is unknown, or what else it depends on. */
export type ForecastReason = 'approval' | 'paused' | 'robots_offline' | 'frozen' | 'deployment' | 'window';

export interface ForecastFacts {
  nowMs: number;
  rollout: Rollout | undefined;
  /** In order, also those without robots. `zones`: of its robots, for windows in the zone of the robot. */
  waves: readonly { robots: number; online: number; zones: readonly string[] }[];
  duration: RobotDuration;
  held: ForecastReason | undefined; // what the first wave waits for
}

export interface WaveForecast {
  startsAtMs?: number;
  endsAtMs?: number; // of the robots that are online
  durationSeconds?: number; // undefined if none is online
  reason?: ForecastReason;
}

interface Span {
  startMs: number;
  endMs: number;
}

/** Openings of a window that one wave may need. */
const maxOpenings = 100;

export function forecastWaves({ nowMs, rollout, waves, duration, held }: ForecastFacts): WaveForecast[] {
  const advance = rollout?.advance;
  let next: { fromMs: number } | { reason: ForecastReason } = held === undefined ? { fromMs: nowMs } : { reason: held };
  let sent = 0;
  return waves.map(({ robots, online, zones }, index) => {
    const isLast = index === waves.length - 1;
    const busyMs = pacedMs(rollout?.pace, sent, online, duration);
    const tailMs = (online > 1 ? duration.p90Seconds : duration.medianSeconds) * 1_000;
    sent += online;
    if (robots === 0)
      return 'reason' in next ? next : { startsAtMs: next.fromMs, endsAtMs: next.fromMs, durationSeconds: 0 };
    if ('reason' in next) return { ...next, ...(online > 0 && { durationSeconds: secondsOf(busyMs + tailMs) }) };
    const { fromMs } = next;
    const found = online === 0 ? undefined : spanOf(rollout?.windows, zones, fromMs, busyMs, tailMs);
    if (online > 0 && !found) {
      next = { reason: 'window' };
      return { ...next, durationSeconds: secondsOf(busyMs + tailMs) };
    }
    const offlineMs = advance?.offline_after === undefined ? undefined : msOf(advance.offline_after);
    const isShort = online < Math.ceil((robots * (advance?.applied_percent ?? 100)) / 100);
    const isHeldUp = online === 0 || (isShort && offlineMs === undefined);
    const endMs = Math.max(found?.endMs ?? fromMs, fromMs + (isShort ? (offlineMs ?? 0) : 0));
    next = isHeldUp ? { reason: 'robots_offline' } : afterWave(advance, endMs);
    return {
      ...(found && {
        startsAtMs: found.startMs,
        endsAtMs: found.endMs,
        durationSeconds: secondsOf(found.endMs - found.startMs),
      }),
      ...(online < robots && (isLast || isHeldUp) && { reason: 'robots_offline' as const }),
    };
  });
}

/** From when to when all waves run; times are absent if a wave makes them unknown. */
export function forecastWhole(waves: readonly WaveForecast[]): WaveForecast {
  const known = waves.flatMap(({ startsAtMs, endsAtMs }) =>
    startsAtMs === undefined || endsAtMs === undefined ? [] : [{ startsAtMs, endsAtMs }],
  );
  const [first, last] = [known[0], known.at(-1)];
  const reason = waves.find((wave) => wave.reason !== undefined)?.reason;
  const isWhole = known.length === waves.length;
  return {
    ...(first && { startsAtMs: first.startsAtMs }),
    ...(isWhole && last && { endsAtMs: last.endsAtMs }),
    ...(isWhole && first && last && { durationSeconds: secondsOf(last.endsAtMs - first.startsAtMs) }),
    ...(reason !== undefined && { reason }),
  };
}

const afterWave = (
  advance: Rollout['advance'] | undefined,
  endMs: number,
): { fromMs: number } | { reason: ForecastReason } => {
  if (advance?.then === 'pause') return { reason: 'paused' };
  if (advance?.then === 'approval') return { reason: 'approval' };
  return { fromMs: endMs + msOf(advance?.soak ?? '0s') };
};

/** How long the pace takes until the last robot of a wave is sent the deployment, after `sent` robots of earlier waves. */
function pacedMs(
  pace: RolloutPace | undefined,
  sent: number,
  robots: number,
  { medianSeconds }: RobotDuration,
): number {
  if (!pace || robots === 0) return 0;
  const rounds = pace.max_in_flight === undefined ? 1 : Math.ceil(robots / pace.max_in_flight);
  return Math.max((rounds - 1) * medianSeconds * 1_000, ratedMs(pace, sent, robots));
}

/** By the rate alone, as if each robot applied it at once. */
function ratedMs({ per_minute: base, growth }: RolloutPace, sent: number, robots: number): number {
  if (base === undefined) return 0;
  const all = sent + robots;
  let ms = 0;
  for (let count = sent; count < all;) {
    const steps = growth ? Math.floor(count / growth.after_applied) : 0;
    const perMinute = Math.min(base * (growth?.factor ?? 1) ** steps, growth?.up_to ?? Infinity, maxPerMinute);
    const until = growth ? Math.min(all, (steps + 1) * growth.after_applied) : all;
    ms += ((until - count) * 60_000) / perMinute;
    count = until;
  }
  return ms;
}

/** More robots than a deployment has; a rate that grows without end stays a number. */
const maxPerMinute = 200_000;

/** When robots of any of the zones begin, and those of all have ended. Undefined if a window does not open again. */
function spanOf(
  windows: Rollout['windows'],
  zones: readonly string[],
  fromMs: number,
  busyMs: number,
  tailMs: number,
): Span | undefined {
  if (!windows) return { startMs: fromMs, endMs: fromMs + busyMs + tailMs };
  const [download, activate] = [windowFor('download', windows), windowFor('activate', windows)];
  const spans = (windows.zone === 'robot' && zones.length > 0 ? zones : ['UTC']).map((zone): Span | undefined => {
    const opens = afterOpen(download, zone, fromMs, 0);
    const startMs = opens === undefined ? undefined : afterOpen(activate, zone, opens, 0);
    if (opens === undefined || startMs === undefined) return undefined;
    const sentMs = afterOpen(download, zone, opens, busyMs);
    const ends = [
      afterOpen(activate, zone, startMs, busyMs),
      sentMs === undefined ? undefined : afterOpen(activate, zone, sentMs, 0),
    ];
    return ends.includes(undefined) ? undefined : { startMs, endMs: Math.max(...(ends as number[])) + tailMs };
  });
  const known = spans.filter((span) => span !== undefined);
  if (known.length < spans.length) return undefined;
  return {
    startMs: Math.min(...known.map(({ startMs }) => startMs)),
    endMs: Math.max(...known.map(({ endMs }) => endMs)),
  };
}

/** The instant at which a window was open for `openMs` since `fromMs`. Undefined if it never is. */
function afterOpen(
  window: CalendarWindow | undefined,
  zone: string,
  fromMs: number,
  openMs: number,
): number | undefined {
  if (!window) return fromMs + openMs;
  let [atMs, leftMs] = [fromMs, openMs];
  for (let opening = 0; opening < maxOpenings; opening += 1) {
    const state = windowState(window, new Date(atMs), zone);
    if (state.isOpen) {
      const closesMs = state.closesAt?.getTime() ?? Infinity;
      if (atMs + leftMs <= closesMs) return atMs + leftMs;
      leftMs -= closesMs - atMs;
      atMs = closesMs;
    } else if (state.opensAt) atMs = state.opensAt.getTime();
    else return undefined;
  }
  return undefined;
}

const msOf = (duration: string): number => (parseDuration(duration) ?? 0) * 1_000; // checked when it was created
const secondsOf = (ms: number): number => Math.round(ms / 1_000);
