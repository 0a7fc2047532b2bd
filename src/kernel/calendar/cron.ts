import type { Day } from './zone.ts';
import { dayMs } from './zone.ts';

/** A pattern as in crontab: minute, hour, day of the month, month, day of the week. */
export interface Cron {
  /** Minutes of the day at which it fires, rising. */
  times: readonly number[];
  isDay(day: Day): boolean;
}

interface Field {
  name: string;
  min: number;
  max: number;
  names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of the month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: months },
  { name: 'day of the week', min: 0, max: 7, names: weekdays },
];
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const part = /^(?:\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d+))?$/;

/** The pattern, or what is wrong with the text. */
export function parseCron(text: string): Cron | { fault: string } {
  const texts = text.trim().toLowerCase().split(/\s+/);
  if (texts.length !== fields.length)
    return { fault: `needs five fields (${fields.map(({ name }) => name).join(', ')}), has ${texts.length}` };
  const sets: ReadonlySet<number>[] = [];
  for (const [index, field] of fields.entries()) {
    const set = parseField(texts[index] ?? '', field);
    if ('fault' in set) return set;
    sets.push(set);
  }
  const [minutes, hours, days, inMonths, onWeekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const [everyDay, everyWeekday] = [texts[2]?.startsWith('*'), texts[4]?.startsWith('*')];
  // As in crontab: with a day of the month and one of the week, either is enough.
  const isEither = !everyDay && !everyWeekday;
  const canBe = [...inMonths].some((month) => Math.min(...days) <= (longestMonth[month - 1] ?? 0));
  if (!canBe && !isEither) return { fault: 'never matches: no such month has such a day' };
  return {
    times: [...hours].sort(rising).flatMap((hour) => [...minutes].sort(rising).map((minute) => hour * 60 + minute)),
    isDay(day) {
      const date = new Date(day * dayMs);
      if (!inMonths.has(date.getUTCMonth() + 1)) return false;
      const [fitsDay, fitsWeekday] = [days.has(date.getUTCDate()), onWeekdays.has(date.getUTCDay())];
      return isEither ? fitsDay || fitsWeekday : fitsDay && fitsWeekday;
    },
  };
}

const rising = (one: number, other: number) => one - other;

function parseField(text: string, { name, min, max, names }: Field): Set<number> | { fault: string } {
  const set = new Set<number>();
  for (const item of text.split(',')) {
    const [, first, last, by]: readonly (string | undefined)[] = part.exec(item) ?? [undefined, 'none'];
    const valueOf = (word: string) =>
      names.includes(word) ? names.indexOf(word) + min : /^\d{1,2}$/.test(word) ? Number(word) : NaN;
    const from = first === undefined ? min : valueOf(first);
    const to = last === undefined ? (first === undefined || by !== undefined ? max : from) : valueOf(last);
    const step = by === undefined ? 1 : Number(by);
    if (!(from >= min && from <= to && to <= max && step >= 1))
      return { fault: `"${item}" is not a ${name}: use ${min} to ${max}, such as *, ${min}-${max} or */2` };
    for (let value = from; value <= to; value += step) set.add(name === 'day of the week' ? value % 7 : value);
  }
  return set;
}
