import type { Counts, Tally } from '../../agent/simulate/tally.ts';

/** The final output of `--json`. */
interface Totals extends Tally {
  robots: number;
  refused: number;
  seconds: number;
  /** Why links ended or failed to open; counts by reason. */
  reasons: Record<string, number>;
}

export function totalsOf(counts: Counts, run: Pick<Totals, 'robots' | 'refused' | 'seconds'>): Totals {
  const reasons = Object.fromEntries(counts.reasons);
  return { ...counts, ...run, seconds: Math.round(run.seconds * 10) / 10, reasons };
}

export function totalsText(totals: Totals): string {
  const { robots, seconds, connects, heartbeats, log_records: records, log_records_acknowledged: stored } = totals;
  const extra = [
    totals.log_records_dropped > 0 && `${totals.log_records_dropped} dropped`,
    totals.orders_begun > 0 && `${totals.orders_begun} orders started, ${totals.orders_applied} of them applied`,
    totals.refused > 0 && `${totals.refused} robots refused`,
  ].filter((part) => part !== false);
  return [
    `${robots} robots in ${seconds} s: ${connects} links, ${heartbeats} heartbeats, ${records} log records, ${stored} of them acknowledged`,
    ...extra,
  ].join(', ');
}

/** Returns a function that gives the current line, with rates since its previous call. */
export function statusLine(counts: Counts): () => string {
  const sentSoFar = () => counts.heartbeats + counts.log_frames;
  let before = { at: performance.now(), frames: sentSoFar(), acks: counts.acknowledgements };
  return () => {
    const now = { at: performance.now(), frames: sentSoFar(), acks: counts.acknowledgements };
    const perSecond = (key: 'frames' | 'acks') => Math.round(((now[key] - before[key]) * 1000) / (now.at - before.at));
    const rates = `${perSecond('frames')} frames/s · ${perSecond('acks')} acks/s`;
    before = now;
    const { new: unborn, up, connecting, waiting, away, refused } = counts.robots;
    const rest = Object.entries({ 'to come': unborn, waiting, away, refused })
      .filter(([, number]) => number > 0)
      .map(([name, number]) => ` · ${name} ${number}`);
    return `up ${up} · connecting ${connecting}${rest.join('')} · ${rates}`;
  };
}
