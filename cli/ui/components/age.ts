import type { Freshness } from '../../stores/freshness.ts';
import type { Ui } from '../ui.ts';

/** What nobody renewed for so long is not live: twice the usual time between two calls, with room for the calls. */
const staleAfterMs = 12_000;

/** Whether what is shown may be otherwise by now. */
export function isStale({ data }: Pick<Ui, 'data'>, freshness: Freshness): boolean {
  if (freshness.kind === 'live')
    return data.now() - freshness.atMs > Math.max(staleAfterMs, 2 * (freshness.restMs ?? 0));
  return freshness.kind === 'stale' || (freshness.kind === 'loading' && freshness.atMs !== undefined);
}

/** As in `as of 12:03:58`. */
export function asOf({ data }: Pick<Ui, 'data'>, freshness: Freshness): string {
  if (!('atMs' in freshness)) return '';
  const at = new Date(Date.now() - (data.now() - freshness.atMs));
  return `as of ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`;
}

/** As in `12:04`. */
export const clock = (at: Date) => [at.getHours(), at.getMinutes()].map(twoDigits).join(':');

const twoDigits = (value: number) => String(value).padStart(2, '0');

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

/** How long ago, as in `3h`; seconds are told as `now`, so that a quiet screen stays as it is. Empty for no instant. */
export function age(instant: string | undefined, nowMs = Date.now()): string {
  const at = instant === undefined ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(at)) return '';
  const ms = nowMs - at;
  const [unit, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? ['', 0];
  if (unit === '') return 'now';
  const amount = `${Math.floor(Math.abs(ms) / size)}${unit}`;
  return ms < 0 ? `in ${amount}` : amount;
}
