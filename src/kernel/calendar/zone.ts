/** A day of a calendar, as days since 1970-01-01. */
export type Day = number;

export const dayMs = 86_400_000;
/** By name in lower case: names come from callers, in any spelling, and each format takes some 70 KiB. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase();
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(key, format);
  }
  return format;
}

/** Whether this is the name of a time zone, such as `Europe/Berlin`. An offset such as `+01:00` is none. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What clocks of the zone show at an instant, as the milliseconds at which clocks of UTC show the same. */
export function wallOf(instantMs: number, zone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

const offsetAt = (instantMs: number, zone: string) => wallOf(instantMs, zone) - Math.floor(instantMs / 1_000) * 1_000;

/**
 * The first instant at which clocks of the zone show `wallMs`, in whole minutes. If they skip it, the first instant after
 * the gap.
 */
export function instantOf(wallMs: number, zone: string): number {
  const [before, after] = [offsetAt(wallMs - dayMs, zone), offsetAt(wallMs + dayMs, zone)];
  const candidates = [wallMs - Math.max(before, after), wallMs - Math.min(before, after)] as const;
  const found = candidates.find((instantMs) => offsetAt(instantMs, zone) === wallMs - instantMs);
  if (found !== undefined) return found;
  let [skipped, shown] = candidates.map((each) => each / 1_000) as [number, number];
  while (shown - skipped > 1) {
    const middle = Math.floor((skipped + shown) / 2);
    if (offsetAt(middle * 1_000, zone) === after) shown = middle;
    else skipped = middle;
  }
  return shown * 1_000;
}

/** The day that a text such as `2026-12-24` names; undefined if there is no such day. */
export function dayOf(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms / dayMs : undefined;
}
