/** When links move to another replica, and how fast; a test shortens it. */
export interface RebalanceLimits {
  beginShare: number; // a replica starts when another one has fewer links by more than this share of its own
  beginLinks: number; // and by at least this many
  endShare: number; // it ends when it has at most this share more than the average
  afterMs: number; // how long the difference must last
  roundShare: number; // of its links that it asks in one round, which is one renewal of the lease
  roundLinks: number; // or this many, if that is more
  restMs: number; // pause after its whole budget was asked in vain
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
 * Decides how many links this replica asks to reconnect. It starts once the difference lasted `afterMs`, and ends near
 * the average or with its budget: the number that an even load balancer needs. A load balancer that returns links to
 * the same replica uses up the budget, and then the replica rests.
 */
export function rebalancer(limits: RebalanceLimits, nowMs: () => number) {
  let unevenMs: number | undefined; // since when
  let budget = 0; // links that may still be asked; 0: no link is to move
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
      // If all other replicas but one are as full as this one, an even load balancer takes only one of this many links
      // away.
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
