import type { Logger } from 'pino';
import { drainLinks } from './drain.ts';
import type { Link } from './link.ts';
import type { Replica } from './model.ts';
import { clusterWarnings, livingReplicas, type OwnReplica } from './other-replicas.ts';
import { rebalancer, type RebalanceLimits } from './rebalancing.ts';

/**
 * How long a heartbeat may be in transit: it may have been sent before a stream opened that was requested this much
 * earlier.
 */
const heartbeatOnItsWayMs = 10_000;

interface ClusterSettings {
  own: OwnReplica;
  log: Logger;
  limits: RebalanceLimits;
  nowMs(): number;
  links: ReadonlyMap<string, Link>; // those that are up, by robot
  onRebalanced(links: number): void;
}

/** Reacts to other live replicas: warns of missing settings, and moves links to replicas with fewer. */
export function replicaMonitor({ own, log, limits, nowMs, links, onRebalanced }: ClusterSettings) {
  const findLiving = livingReplicas();
  const linksToMove = rebalancer(limits, nowMs);
  let warnings: readonly string[] = [];
  let livingCount = 0;

  function warn(living: readonly Replica[]): void {
    const now = clusterWarnings(own, living);
    for (const warning of now) if (!warnings.includes(warning)) log.warn(warning);
    warnings = now;
  }

  /** Whether a link may be interrupted for a second: no order is open, and the agent reports no live stream. */
  function isIdle({ leaving, openedMs, openOrders, opensStreams, streams, streamsMs, streamFrameMs }: Link): boolean {
    if (leaving !== undefined || openOrders > 0 || nowMs() - openedMs < limits.minAgeMs) return false;
    return !opensStreams || (streams === 0 && streamsMs - streamFrameMs > heartbeatOnItsWayMs);
  }

  /**
   * Only between replicas that have a URL. Replicas of an earlier release do not report their number of links; nothing
   * moves while one is alive.
   */
  function rebalance(living: readonly Replica[]): void {
    if (own.url === undefined) return;
    const counts = living.filter(({ url }) => url !== undefined).map((other) => other.links);
    const others = counts.filter((count) => count !== undefined);
    const count = linksToMove(links.size, others.length === counts.length ? others : []);
    // Oldest first: a link that reconnects is the newest, so none is asked twice in a row.
    const asked = count === 0 ? [] : [...links.values()].filter(isIdle).slice(0, count);
    if (asked.length === 0) return;
    log.info({ links: asked.length }, 'asked agents to reconnect: another replica has fewer links');
    onRebalanced(asked.length);
    const { withinMs } = limits;
    void drainLinks(asked, { withinMs, reason: 'another replica has fewer links', endReason: 'rebalanced' });
  }

  return {
    /** Missing settings that several replicas need, one sentence each. */
    get warnings() {
      return warnings;
    },

    /** Number of other live replicas. */
    get living() {
      return livingCount;
    },

    /** Called with all other replicas at each renewal of the lease. */
    look(others: readonly Replica[]): void {
      const living = findLiving(others);
      livingCount = living.length;
      warn(living);
      rebalance(living);
    },
  };
}
