/** When links move to another replica, and how fast; a test shortens it. */
export interface RebalanceLimits {
  beginShare: number; // a replica begins when another one has fewer links by more than this share of its own
  beginLinks: number; // and by at least this many
  endShare: number; // it ends when it has at most this share more than the average
  afterMs: number; // how long the difference must last
  roundShare: number; // of its links that it asks in one round, which is one renewal of the lease
  roundLinks: number; // or this many, if that is more
  restMs: number; // after it asked for its whole budget in vain
  minAgeMs: number; // younger links are not asked
  withinMs: number; // the links that are asked in one round leave within this time
}

export const rebalanceLimits: RebalanceLimits = {
  beginShare: 0.2,
  beginLinks: 10,
  endShare: 0.05,
  afterMs: 60_000,
  roundShare: 0.01,
  roundLinks: 5,
  restMs: 3_600_000,
  minAgeMs: 60_000,
  withinMs: 5_000,
};

/**
 * Decides how many links this replica asks to reconnect. It begins once the difference lasted `afterMs`, and ends near the average or with its budget:
 * the number that an even load balancer needs. A balancer that returns links to where they were uses that up, and then the replica rests.
 */
export function rebalancer(limits: RebalanceLimits, nowMs: () => number) {
  let unevenMs: number | undefined; // since when
  let budget = 0; // links that may still be asked; 0: none are to move
  let restUntilMs = -Infinity;

  function isUneven(own: number, average: number, lowest: number): boolean {
    const difference = own - lowest;
    return own > average && difference >= limits.beginLinks && difference > own * limits.beginShare;
  }

  /** Called at each renewal with the number of links of this replica and of each other one. Returns how many to ask now. */
  return (own: number, others: readonly number[]): number => {
    const now = nowMs();
    const replicas = others.length + 1;
    const average = others.reduce((sum, links) => sum + links, own) / replicas;
    if (budget === 0) {
      if (now < restUntilMs || !isUneven(own, average, Math.min(own, ...others))) {
        unevenMs = undefined;
        return 0;
      }
      unevenMs ??= now;
      if (now - unevenMs < limits.afterMs) return 0;
      unevenMs = undefined;
      // With all others but one as full as this one, an even balancer takes only one of this many links away.
      budget = Math.ceil((own - average) * replicas);
    }
    if (own <= average * (1 + limits.endShare)) {
      budget = 0;
      return 0;
    }
    const round = Math.max(limits.roundLinks, Math.floor(own * limits.roundShare));
    const count = Math.min(budget, round, Math.ceil(own - average));
    budget -= count;
    if (budget === 0) restUntilMs = now + limits.restMs;
    return count;
  };
}
