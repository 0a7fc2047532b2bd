import { isInstant } from './instant.ts';

/** A start time: an instant, nothing for now, or what is wrong with the text, as the end of a sentence about it. */
type StartTime = { at?: Date } | { fault: string };

const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };
const maxDays = 365;

/** What a user can type. */
export const startTimeForms = 'now, in 30m, 22:00, tomorrow 06:00 or 2030-01-31T02:00:00+09:00';

/**
 * `now`; `in 30m`, `in 1h30m`, `in 2d`; `22:00`, of today or else tomorrow; `today 22:00`; `tomorrow 06:00`; or an
 * instant in RFC 3339, which may have passed. Times without a zone are in the zone of this machine. In the hour that
 * daylight saving time skips, they are an hour later.
 */
export function parseStartTime(text: string, now: Date): StartTime {
  const typed = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (typed === 'now') return {};
  const span = /^in ((?:\d{1,5}[mhd] ?)+)$/.exec(typed)?.[1];
  if (span !== undefined) return afterSpan(span, now);
  const [, day, hour, minute] = /^(today |tomorrow )?([01]?\d|2[0-3]):([0-5]\d)$/.exec(typed) ?? [];
  if (hour !== undefined && minute !== undefined) {
    const at = new Date(now);
    at.setHours(Number(hour), Number(minute), 0, 0);
    if (day === 'today ' && at <= now) return { fault: 'has passed today' };
    if (day === 'tomorrow ' || at <= now) at.setDate(at.getDate() + 1);
    return { at };
  }
  return isInstant(text.trim()) ? { at: new Date(text.trim()) } : { fault: 'is not a start time' };
}

function afterSpan(span: string, now: Date): StartTime {
  const minutes = [...span.matchAll(/(\d+)([mhd])/g)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (minutesOf[unit ?? ''] ?? 0),
    0,
  );
  return minutes > maxDays * 1_440
    ? { fault: 'is more than a year ahead' }
    : { at: new Date(now.getTime() + minutes * 60_000) };
}
