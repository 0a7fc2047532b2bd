import type { Bus } from '../platform/bus/bus.ts';
import type { Grant } from './model.ts';

const maxGrants = 50_000;
/** A belt beside the hints: no grant is used for longer without asking the database again. */
const maxAgeMs = 60_000;

interface Kept {
  grant: Grant;
  untilMs: number;
}

/**
 * Grants by the digest of their token, so that a call costs no query. Trusted only while the bus is up: whatever takes a right away announces
 * it there, and a replica that hears nothing must ask. A grant that was read while an announcement arrived is not kept: it may be the old one.
 */
export function grantCache(bus: Bus, nowMs: () => number = Date.now) {
  const kept = new Map<string, Kept>();
  let changes = 0;
  const forget = (isGone: (grant: Grant) => boolean) => {
    changes += 1;
    for (const [key, { grant }] of kept) if (isGone(grant)) kept.delete(key);
  };
  bus.subscribe({
    hint(hint) {
      if (hint.topic === 'access_changed') forget((grant) => grant.caller.orgId === hint.orgId);
    },
    reset: () => forget(() => true),
  });

  return async (digest: Buffer, read: () => Promise<Grant | undefined>): Promise<Grant | undefined> => {
    const key = digest.toString('latin1');
    const now = nowMs();
    const found = bus.up ? kept.get(key) : undefined;
    if (found && found.untilMs > now) return found.grant;
    const changesBefore = changes;
    const grant = await read();
    if (grant && bus.up && changes === changesBefore) {
      // The oldest goes first: Map keeps the order of insertion.
      if (kept.size >= maxGrants) kept.delete(kept.keys().next().value ?? '');
      kept.delete(key);
      kept.set(key, { grant, untilMs: Math.min(now + maxAgeMs, grant.expiresAt?.getTime() ?? Infinity) });
    } else kept.delete(key);
    return grant;
  };
}
