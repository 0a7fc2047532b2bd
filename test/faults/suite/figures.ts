import type { Violation } from './checker.ts';
import type { Call, History } from './history.ts';

/** What a fault did to its callers. */
export interface Figures {
  /** Calls by what they saw: `2xx`, another status, or `no response`. */
  seen: Record<string, number>;
  /** Calls that failed, by kind and what they saw. */
  failed: Record<string, number>;
  /** From the first call that failed to the first success after the last one; 0 if none failed. */
  disturbedMs: number;
  /** Longest time of a call. */
  slowestMs: number;
}

/** Tokens are also used at replicas that are broken, and after their revocation. */
const isJudged = ({ kind }: Call) => kind !== 'use';

const nameOf = ({ outcome, status }: Call) =>
  outcome === 'ok' ? '2xx' : status === 0 ? 'no response' : String(status);

const countsOf = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** Of the calls that ended after this time. */
export function figuresOf({ calls }: History, sinceMs: number): Figures {
  const judged = calls.filter((call) => isJudged(call) && call.endMs >= sinceMs);
  const failed = judged.filter(({ outcome }) => outcome !== 'ok');
  const firstMs = Math.min(...failed.map(({ startMs }) => startMs));
  const lastMs = Math.max(...failed.map(({ endMs }) => endMs));
  const later = judged
    .filter(({ outcome, startMs }) => outcome === 'ok' && startMs >= lastMs)
    .map(({ endMs }) => endMs);
  const backMs = later.length === 0 ? lastMs : Math.min(...later);
  return {
    seen: countsOf(judged.map(nameOf)),
    failed: countsOf(failed.map((call) => `${call.kind} ${nameOf(call)}`)),
    disturbedMs: failed.length === 0 ? 0 : Math.round(backMs - firstMs),
    slowestMs: Math.round(Math.max(0, ...judged.map(({ startMs, endMs }) => endMs - startMs))),
  };
}

const textOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ') || 'none';

/** `120 × 2xx, 3 × 503` */
export const seenText = ({ seen }: Figures): string => textOf(seen);

/** `3 × upload 503` */
export const failedText = ({ failed }: Figures): string => textOf(failed);

/** How often each promise was broken. */
export const lossText = (violations: readonly Violation[]): string =>
  textOf(countsOf(violations.map(({ promise }) => promise)));
