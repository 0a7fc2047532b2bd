import type { Bus } from '../platform/bus/bus.ts';
import type { TokenGrant } from './model.ts';

const maxGrants = 50_000;
/** A safety net beside the hints: every grant is read again from the database after this time. */
const maxAgeMs = 60_000;

interface Kept {
  grants: readonly TokenGrant[];
  untilMs: number; // by performance.now(), as the clock of the machine may be set back
}

/**
 * Cached grants of each token, one per org, by digest, so that a call needs no query. Used only while the bus is up:
 * every loss of a right is announced there, and a replica without hints must query. A read during which a hint arrives
 * is not cached: it may be outdated.
 */
export function grantCache(bus: Bus) {
  const kept = new Map<string, Kept>();
  let changes = 0;
  const forget = (isGone: (grant: TokenGrant) => boolean) => {
    changes += 1;
    for (const [key, { grants }] of kept) if (grants.some(isGone)) kept.delete(key);
  };
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'access_changed') forget((grant) => grant.caller.orgId === hint.orgId);
    },
    reset: () => forget(() => true),
  });

  return async (digest: Buffer, read: () => Promise<readonly TokenGrant[]>): Promise<readonly TokenGrant[]> => {
    const key = digest.toString('latin1');
    const now = performance.now();
    const found = bus.up ? kept.get(key) : undefined;
    if (found && found.untilMs > now) return found.grants;
    const changesBefore = changes;
    const grants = await read();
    if (grants.length > 0 && bus.up && changes === changesBefore) {
      // Drop the oldest: Map keeps insertion order.
      if (kept.size >= maxGrants) kept.delete(kept.keys().next().value ?? '');
      kept.delete(key);
      const restsMs = grants.map(({ expiresAt }) => (expiresAt ? expiresAt.getTime() - Date.now() : Infinity));
      kept.set(key, { grants, untilMs: now + Math.min(maxAgeMs, ...restsMs) });
    } else kept.delete(key);
    return grants;
  };
}
