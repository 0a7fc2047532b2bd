import type { Freshness } from '../data/freshness.ts';
import type { Ui } from '../ui.ts';
import { clockTime, inLargestUnit } from '../../output/time.ts';

/** Data not refreshed for this long is stale: twice the usual poll interval, plus time for the requests. */
const staleAfterMs = 12_000;

/** Whether the shown data may be outdated. */
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

/**
 * How long ago, as in `3h`; under a minute it is `now`, so that an idle screen does not change. Empty without an
 * instant.
 */
export function age(instant: string | undefined, nowMs = Date.now()): string {
  const at = instant === undefined ? Number.NaN : Date.parse(instant);
  if (Number.isNaN(at)) return '';
  const ms = nowMs - at;
  const amount = inLargestUnit(ms, 60);
  if (amount === '') return 'now';
  return ms < 0 ? `in ${amount}` : amount;
}
