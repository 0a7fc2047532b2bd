/** Units of time, the largest first: name and seconds. */
export const timeUnits: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** A span in its largest unit, such as `3h`; empty below `leastSeconds`. */
export function inLargestUnit(ms: number, leastSeconds = 0): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < leastSeconds) return '';
  const [unit, size] = timeUnits.find(([, length]) => seconds >= length) ?? ['s', 1];
  return `${Math.floor(seconds / size)}${unit}`;
}

/** An RFC 3339 instant relative to now: `3s ago`, `in 2h`. An invalid instant is returned unchanged. */
export function relativeTime(instant: string, now: number = Date.now()): string {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  const ms = Math.round((now - at) / 1000) * 1000;
  return ms < 0 ? `in ${inLargestUnit(ms)}` : `${inLargestUnit(ms)} ago`;
}

const two = (part: number) => String(part).padStart(2, '0');

/** Such as `12:04`. */
export const clock = (at: Date) => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** The local time of day, such as `12:04:31`; dashes for an invalid instant, which a robot may send. */
export function clockTime(instant: string | Date): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? '--:--:--' : `${clock(at)}:${two(at.getSeconds())}`;
}

/**
 * The local time with milliseconds, after the date unless that is today: a line may be older, and the clock of a robot
 * wrong.
 */
export function logTime(instant: string, now: Date = new Date()): string {
  const at = new Date(instant);
  const ms = at.getMilliseconds();
  const time = `${clockTime(at)}.${Number.isNaN(ms) ? '---' : String(ms).padStart(3, '0')}`;
  return Number.isNaN(ms) || dateOf(at) === dateOf(now) ? time : `${dateOf(at)} ${time}`;
}

/** The local date, such as `2026-11-22`. */
const dateOf = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;

/** Such as `+09:00`: the offset of local time at this instant. */
function zoneOf(at: Date): string {
  const offset = -at.getTimezoneOffset();
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}

/** In local time: `11-22 02:00 +09:00`, with the year if it is another one. An invalid instant is returned unchanged. */
export function localMinute(instant: string, now: Date = new Date()): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const year = at.getFullYear() === now.getFullYear() ? '' : `${at.getFullYear()}-`;
  return `${year}${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(at)} ${zoneOf(at)}`;
}

/** An instant in local time and in UTC: `2026-11-22 02:00:00 +09:00 (2026-11-21T17:00:00Z), in 3h`. */
export function bothTimes(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const zone = zoneOf(at);
  const utc = at.toISOString().replace('.000Z', 'Z');
  return `${dateOf(at)} ${clockTime(at)} ${zone}${zone === '+00:00' ? '' : ` (${utc})`}, ${relativeTime(instant)}`;
}
