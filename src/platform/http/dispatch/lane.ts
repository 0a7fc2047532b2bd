/** A request that waits for a slot. */
export interface Waiting {
  sinceMs: number; // Infinity: it is not refused, however long it waits
  settle(isGranted: boolean): void;
}

/** How long requests may wait, in ms. */
export interface Patience {
  /** Maximum expected wait. Longer than a burst takes, shorter than the patience of callers. */
  expectedMs: number;
  /** Maximum wait where the expectation was wrong, such as when the database hangs; as for a connection of the pool. */
  longestMs: number;
}

export const usualPatience: Patience = { expectedMs: 1_000, longestMs: 3_000 };

/** Maximum requests of an org that wait. */
const maxWaiting = 1_000;
/** Time over which grants are counted, to expect waits. */
const windowMs = 300;
/** Time of a grant while none is measured, at most: a burst of 500 requests is expected to take a second. */
const guessedMsPerGrant = 2;

/**
 * The requests of one priority that wait, in a queue for each org. Orgs take turns. A request that would wait too long
 * is refused when it arrives, not after it has waited.
 */
export function createLane({ expectedMs, longestMs }: Patience, nowMs: () => number) {
  const queues = new Map<string, Waiting[]>(); // the org whose turn is next comes first
  let emptySinceMs = -Infinity;
  let windowFromMs = 0;
  let granted = 0; // since then
  let msPerGrant = guessedMsPerGrant;

  function expect(now: number): void {
    if (now - windowFromMs < windowMs) return;
    msPerGrant = (now - windowFromMs) / Math.max(1, granted);
    windowFromMs = now;
    granted = 0;
  }

  /** Grants of a time without waiting requests say nothing about the time that one takes. */
  function begin(now: number): void {
    if (now - emptySinceMs > windowMs) msPerGrant = Math.min(msPerGrant, guessedMsPerGrant);
    windowFromMs = now;
    granted = 0;
  }

  /** The org keeps its turn. */
  function replace(org: string, queue: Waiting[]): void {
    if (queue.length > 0) queues.set(org, queue);
    else queues.delete(org);
    if (queues.size === 0) emptySinceMs = nowMs();
  }

  /** The requests that would be granted before the next one of this org, and that one. */
  function turnsUntil(org: string | undefined, ahead: number): number {
    let turns = ahead + 1;
    for (const [other, { length }] of queues) if (other !== org) turns += Math.min(length, ahead + 1);
    return turns;
  }

  return {
    get isEmpty(): boolean {
      return queues.size === 0;
    },

    hasWaiting: (org: string): boolean => queues.has(org),

    /** A request of this lane got a slot, whether it waited or not. */
    noteGrant(): void {
      granted += 1;
    },

    /** Whether a request that finds no free slot is to be refused. `org` undefined: it is not known yet. */
    refuses(org: string | undefined): boolean {
      if (queues.size === 0) return false;
      expect(nowMs());
      const ahead = (org === undefined ? undefined : queues.get(org))?.length ?? 0;
      return ahead >= maxWaiting || turnsUntil(org, ahead) * msPerGrant > expectedMs;
    },

    add(org: string, waiting: Waiting): void {
      if (queues.size === 0) begin(nowMs());
      const queue = queues.get(org);
      if (queue) queue.push(waiting);
      else queues.set(org, [waiting]);
    },

    /** Takes the first request of the org whose turn it is, among those that may start. */
    next(mayStart: (org: string) => boolean): { org: string; waiting: Waiting } | undefined {
      for (const [org, queue] of queues) {
        if (!mayStart(org)) continue;
        const waiting = queue.shift();
        queues.delete(org);
        replace(org, queue);
        if (waiting) return { org, waiting };
      }
      return undefined;
    },

    /** Removes a request that waits no longer. */
    remove(org: string, waiting: Waiting): void {
      const queue = queues.get(org) ?? [];
      replace(
        org,
        queue.filter((each) => each !== waiting),
      );
    },

    /** Refuses the requests that have waited too long. */
    refuseLate(): void {
      const now = nowMs();
      const isLate = ({ sinceMs }: Waiting) => now - sinceMs > longestMs;
      for (const [org, queue] of [...queues]) {
        const late = queue.filter(isLate);
        if (late.length === 0) continue;
        replace(
          org,
          queue.filter((each) => !isLate(each)),
        );
        for (const { settle } of late) settle(false);
      }
    },
  };
}
