const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * A pattern of instants as most programs write them: in UTC, of 1970 to 2999, without 29 February and leap seconds. All
 * of them are valid, so none needs the calendar.
 */
export const commonInstant = String.raw`(?:19[7-9]\d|2\d{3})-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z`;

const commonForm = new RegExp(`^${commonInstant}$`);

/** Whether `readInstant` reads the text; cheaper. */
export const isInstant = (text: string): boolean => commonForm.test(text) || readInstant(text) !== undefined;

/** The last millisecond of the year 9999. */
const latestMs = 253_402_300_799_999;

/**
 * Parses an RFC 3339 instant of the years 1970 to 9999, strictly: `T`, and `Z` or an offset of up to 23:59. Digits
 * below a millisecond are cut off. A leap second (23:59:60 in UTC, nowhere else) is the second that follows it.
 * @returns undefined for every other text
 */
export function readInstant(text: string): Date | undefined {
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const fractionMs = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const offsetMinutes = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * (parts[8] === '-' ? -1 : 1);
  if (hour > 23 || minute > 59 || second > 60 || Number(parts[9] ?? 0) > 23 || Number(parts[10] ?? 0) > 59)
    return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day); // Date.UTC maps the years 0 to 99 to 1900 to 1999
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined; // no such day
  const ms = midnight.getTime() + ((hour * 60 + minute - offsetMinutes) * 60 + second) * 1_000;
  if (second === 60 && ms % 86_400_000 !== 0) return undefined;
  return ms < 0 || ms + fractionMs > latestMs ? undefined : new Date(ms + fractionMs);
}
