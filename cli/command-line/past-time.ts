import { isInstant } from './instant.ts';

/** What a user can type for a time before now. */
export const pastTimeForms =
  '15m, 1h30m, 02:13, yesterday, "yesterday 22:00", 2026-11-21, "2026-11-21 09:00" or 2026-11-21T09:00:00Z';

const clock = String.raw`([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?`;
const ofDay = new RegExp(`^(?:(today|yesterday) )?${clock}$`);
const ofNoDay = new RegExp(`^${clock}$`);
const ofDate = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)(?:[ t]${clock})?$`);

/**
 * The instant of a time without a zone, in the zone of this machine: `02:13`, or `02:13:05.120` as log lines have it, of
 * today or else yesterday; `today 02:13`; `yesterday 22:00`; `yesterday`, its midnight; `2026-11-21`, likewise; `2026-11-21 09:00`. In the hour
 * that daylight saving time skips, it is an hour later. Undefined for anything else.
 */
export function parsePastTime(text: string, now: Date): Date | undefined {
  const typed = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(today|yesterday)$/, '$1 00:00');
  const [, day, ofHour, ...rest] = ofDay.exec(typed) ?? [];
  if (ofHour !== undefined) {
    const at = new Date(now);
    setClock(at, [ofHour, ...rest]);
    if (day === 'yesterday' || (day === undefined && at > now)) at.setDate(at.getDate() - 1);
    return at;
  }
  const [, date, ...wall] = ofDate.exec(typed) ?? [];
  if (date === undefined || !isInstant(`${date}T00:00:00Z`)) return undefined;
  const at = new Date(`${date}T00:00`);
  setClock(at, wall);
  return at;
}

/** The first instant after `since` at a time of day such as `02:13`; undefined for any other text. */
export function nextClockTime(text: string, since: Date): Date | undefined {
  const wall = ofNoDay.exec(text.trim())?.slice(1);
  if (!wall) return undefined;
  const at = new Date(since);
  setClock(at, wall);
  if (at <= since) at.setDate(at.getDate() + 1);
  return at;
}

function setClock(at: Date, [hour = '0', minute = '0', second = '0', fraction = '.0']: (string | undefined)[]): void {
  at.setHours(Number(hour), Number(minute), Number(second), Math.floor(Number(fraction) * 1_000));
}
