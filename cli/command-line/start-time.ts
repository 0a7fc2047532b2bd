import { isInstant } from '../../command-line/instant.ts';

/** A start time: an instant, nothing for at once, or why the text is invalid. */
type StartTime = { at?: Date } | { fault: string };

const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };
const maxDays = 365;

/** `now`, `in 30m`, `in 1h30m`, `22:00` of today or else tomorrow, or an instant in RFC 3339. */
export function parseStartTime(text: string, now: Date): StartTime {
  const said = text.trim().toLowerCase();
  if (said === '' || said === 'now') return {};
  const span = /^in ((?:\d{1,5}[mhd] ?)+)$/.exec(said)?.[1];
  if (span !== undefined) {
    const minutes = [...span.matchAll(/(\d+)([mhd])/g)].reduce(
      (total, [, amount, unit]) => total + Number(amount) * (minutesOf[unit ?? ''] ?? 0),
      0,
    );
    return minutes > maxDays * 1_440
      ? { fault: 'at most one year ahead' }
      : { at: new Date(now.getTime() + minutes * 60_000) };
  }
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(said) ?? [];
  if (hour !== undefined && minute !== undefined) {
    const at = new Date(now);
    at.setHours(Number(hour), Number(minute), 0, 0);
    if (at <= now) at.setDate(at.getDate() + 1);
    return { at };
  }
  if (!isInstant(text.trim())) return { fault: 'use now, in 30m, 22:00 or 2026-11-22T02:00:00+09:00' };
  const at = new Date(text.trim());
  return at <= now ? { fault: 'this time has passed' } : { at };
}
