import type { Freshness } from '../data/freshness.ts';
import type { Ui } from '../ui.ts';
import { clockTime, inLargestUnit } from '../../output/time.ts';

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
  return `as of ${clockTime(new Date(Date.now() - (data.now() - freshness.atMs)))}`;
}

/** How long ago, as in `3h`; seconds are told as `now`, so that a quiet screen stays as it is. Empty for no instant. */
export function age(instant: string | undefined, nowMs = Date.now()): string {
  const at = instant === undefined ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(at)) return '';
  const ms = nowMs - at;
  const amount = inLargestUnit(ms, 60);
  if (amount === '') return 'now';
  return ms < 0 ? `in ${amount}` : amount;
}
