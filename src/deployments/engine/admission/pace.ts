import type { RolloutPace } from '../../../rollout-policies/service.ts';

/** Robots that could be sent a deployment at once, by its rate alone, at an instant. A token bucket. */
export interface PaceTokens {
  count: number;
  atMs: number;
}

interface PaceFacts {
  nowMs: number;
  applied: number; // robots
  inFlight: number; // robots
  before: PaceTokens | undefined; // undefined: nothing was sent yet
}

/** How many more robots may be sent a deployment now. */
interface Allowance {
  inFlight: number; // by how many work on it at the same time
  rate: number; // by the rate
  tokens: PaceTokens | undefined; // undefined without a rate
  nextMs: number | undefined; // pause before the rate allows one more robot; undefined if it does now
}

/** What a rate allows within this time may be sent at once. */
const burstSeconds = 10;
/** A sum of fractions may be a little less than it should be. */
const slack = 1e-6;

/** How many more robots the pace of a rollout allows now. */
export function allowedBy(
  { max_in_flight: most = Infinity, per_minute: base, growth }: RolloutPace,
  { nowMs, applied, inFlight, before }: PaceFacts,
): Allowance {
  const free = Math.max(0, most - inFlight);
  if (base === undefined) return { inFlight: free, rate: Infinity, tokens: undefined, nextMs: undefined };
  const steps = growth ? Math.floor(applied / growth.after_applied) : 0;
  const perMs = Math.min(base * (growth?.factor ?? 1) ** steps, growth?.up_to ?? Infinity, maxPerMinute) / 60_000;
  const burst = Math.max(1, perMs * burstSeconds * 1_000);
  const count = before ? Math.min(burst, before.count + perMs * Math.max(0, nowMs - before.atMs)) : burst;
  const rate = Math.floor(count + slack);
  return {
    inFlight: free,
    rate,
    tokens: { count, atMs: nowMs },
    nextMs: rate < 1 ? (1 - count) / perMs : undefined,
  };
}

/** As many as a deployment can have; a rate that grows without end stays a number. */
const maxPerMinute = 200_000;

export const spend = ({ count, atMs }: PaceTokens, robots: number): PaceTokens => ({ count: count - robots, atMs });
