import { timeUnits } from './time.ts';

const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Bytes in a binary unit: `1.5 GiB`. */
export function amount(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < binary.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${binary[unit] ?? ''}`;
}

/** 0 to 100 as `13%`; empty for undefined. */
export const percent = (value: number | undefined) => (value === undefined ? '' : `${Math.round(value)}%`);

/** Seconds as `3d 4h`: the two largest units. */
export function span(seconds: number): string {
  let left = Math.max(0, Math.round(seconds));
  const first = timeUnits.findIndex(([, size]) => left >= size);
  if (first === -1) return '0s';
  return timeUnits
    .slice(first, first + 2)
    .map(([unit, size]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count === 0 ? '' : `${count}${unit}`;
    })
    .filter((text) => text !== '')
    .join(' ');
}

/** The offset between two clocks, such as `3m ahead`. */
export const offClock = (aheadMs: number) => `${span(Math.abs(aheadMs) / 1000)} ${aheadMs > 0 ? 'ahead' : 'behind'}`;

/** A clock offset. Above a few seconds the clock was probably never set, and years in milliseconds are unreadable. */
export const clockOffset = (offsetMs: number) =>
  Math.abs(offsetMs) < 10_000 ? `${offsetMs > 0 ? '+' : ''}${offsetMs} ms` : offClock(offsetMs);

/** `42% of 58 GiB`; empty if unknown. */
export const used = (total: number | undefined, free: number | undefined) =>
  total === undefined || free === undefined || total <= 0
    ? ''
    : `${percent(((total - free) / total) * 100)} of ${amount(total)}`;
