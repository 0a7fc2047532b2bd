import { parseCron, type Cron } from './cron.ts';
import { dayMs, dayOf, instantOf, wallOf } from './zone.ts';

/** When something may happen. Fields have their wire names. */
export interface CalendarWindow {
  /** At least one of them must be open. */
  openings: readonly { cron: string; duration_s: number }[];
  /** IANA name, or `robot`. */
  zone: string;
  /** Days on which it stays closed, such as `2026-12-24`, both included. */
  blackouts?: readonly { from: string; to: string }[] | undefined;
}

/** `closesAt`: absent if one opening follows the other without an end. `opensAt`: absent if it never opens again. */
type WindowState = { isOpen: true; closesAt?: Date } | { isOpen: false; opensAt?: Date };

interface Opening {
  cron: Cron;
  durationMs: number;
}

const minuteMs = 60_000;
/** A window of leap days opens at least every eight years. */
const horizonDays = 9 * 366;
/** Openings without a pause between them, after which it counts as open without an end. */
const maxFollowing = 30;
/** Blackouts and closed openings that are passed over before it counts as never open. */
const maxSteps = 2_000;

/** The zone in which a window is meant. A robot without a known zone has UTC. */
export const zoneOf = ({ zone }: Pick<CalendarWindow, 'zone'>, robotZone: string | undefined): string =>
  zone === 'robot' ? (robotZone ?? 'UTC') : zone;

/**
 * Whether the window is open at an instant. Times are those of clocks in its zone. A start that clocks skip is the first
 * instant after the gap, one that occurs twice is the first of both, and durations are elapsed time.
 * @throws Error for an invalid cron or zone
 */
export function windowState(window: CalendarWindow, at: Date, robotZone: string | undefined): WindowState {
  const zone = zoneOf(window, robotZone);
  const openings = window.openings.map(({ cron, duration_s: seconds }): Opening => {
    const parsed = parseCron(cron);
    if ('fault' in parsed) throw new Error(`cron "${cron}" ${parsed.fault}`);
    return { cron: parsed, durationMs: seconds * 1_000 };
  });
  const blackouts = (window.blackouts ?? []).map(({ from, to }) => ({ from: dayOf(from) ?? 0, to: dayOf(to) ?? -1 }));
  const startOfDay = (day: number) => instantOf(day * dayMs, zone);

  /** When the blackout at this instant ends; undefined without one. */
  function blackoutEnd(atMs: number): number | undefined {
    const day = Math.floor(wallOf(atMs, zone) / dayMs);
    const found = blackouts.find(({ from, to }) => from <= day && day <= to);
    return found && startOfDay(found.to + 1);
  }

  /** When the openings at this instant end; undefined if none is open. */
  function openingEnd(atMs: number): number | undefined {
    const ends = openings.flatMap(({ cron, durationMs }) => {
      const start = lastStart(cron, zone, atMs, atMs - durationMs);
      return start === undefined ? [] : [start + durationMs];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  function closing(atMs: number, endMs: number): WindowState {
    const darks = blackouts.map(({ from }) => startOfDay(from)).filter((dark) => dark > atMs);
    let end: number | undefined = endMs;
    let following = 0;
    for (let next = openingEnd(endMs); next !== undefined && end !== undefined; next = openingEnd(next))
      end = (following += 1) < maxFollowing ? next : undefined;
    const closesMs = Math.min(end ?? Infinity, ...darks);
    return closesMs === Infinity ? { isOpen: true } : { isOpen: true, closesAt: new Date(closesMs) };
  }

  const nowMs = at.getTime();
  let atMs = nowMs;
  for (let step = 0; step < maxSteps; step += 1) {
    const light = blackoutEnd(atMs);
    const end = light === undefined ? openingEnd(atMs) : undefined;
    if (end !== undefined) return atMs === nowMs ? closing(atMs, end) : { isOpen: false, opensAt: new Date(atMs) };
    const starts = openings.flatMap(({ cron }) => nextStart(cron, zone, atMs) ?? []);
    const next = light ?? (starts.length === 0 ? undefined : Math.min(...starts));
    if (next === undefined || next - nowMs > horizonDays * dayMs) break;
    atMs = next;
  }
  return { isOpen: false };
}

/** Starts of a day never fall back behind each other, so both are found by halving. */
const startsOn = (day: number, { times }: Cron, zone: string) => ({
  count: times.length,
  at: (index: number) => instantOf(day * dayMs + (times[index] ?? 0) * minuteMs, zone),
});

/** The latest start up to `atMs` and after `sinceMs`. */
function lastStart(cron: Cron, zone: string, atMs: number, sinceMs: number): number | undefined {
  const [first, last] = [sinceMs, atMs].map((ms) => Math.floor(wallOf(ms, zone) / dayMs)) as [number, number];
  for (let day = last + 1; day >= first - 1; day -= 1) {
    if (!cron.isDay(day)) continue;
    const starts = startsOn(day, cron, zone);
    const later = firstIndex(starts.count, (index) => starts.at(index) > atMs);
    if (later === 0) continue;
    const start = starts.at(later - 1);
    return start > sinceMs ? start : undefined;
  }
  return undefined;
}

function nextStart(cron: Cron, zone: string, atMs: number): number | undefined {
  const today = Math.floor(wallOf(atMs, zone) / dayMs);
  for (let day = today - 1; day <= today + horizonDays; day += 1) {
    if (!cron.isDay(day)) continue;
    const starts = startsOn(day, cron, zone);
    const found = firstIndex(starts.count, (index) => starts.at(index) > atMs);
    if (found < starts.count) return starts.at(found);
  }
  return undefined;
}

/** The first index at which a condition holds that stays true; `count` if there is none. */
function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
