import { HttpError } from './failures.ts';
import { rateLimiter } from './rate-limit.ts';

/** How many seconds of calls a burst may hold. */
const burstSeconds = 5;

/** Judges one call of a caller and gives the headers that tell what is left (draft-ietf-httpapi-ratelimit-headers). */
export type CallLimits = (key: string, changes: boolean) => Record<string, string>;

/**
 * Reads and writes are counted apart, so that a dashboard's polling never blocks a deployment.
 * @throws HttpError 429 with Retry-After
 */
export function callLimits(limits: { readsPerSecond: number; writesPerSecond: number } | undefined): CallLimits {
  if (limits === undefined) return () => ({});
  const kinds = { reads: kind(limits.readsPerSecond), writes: kind(limits.writesPerSecond) };
  return (key, changes) => {
    const name = changes ? 'writes' : 'reads';
    const { take, quota } = kinds[name];
    const left = take(key);
    const headers = {
      'RateLimit-Policy': `"${name}";q=${quota};w=${burstSeconds}`,
      RateLimit: `"${name}";r=${left.remaining};t=${left.resetSeconds}`,
    };
    if (!left.allowed)
      throw new HttpError(429, 'rate limit reached', {
        headers: { ...headers, 'Retry-After': String(left.retryAfterSeconds) },
      });
    return headers;
  };
}

const kind = (perSecond: number) => ({
  quota: perSecond * burstSeconds,
  take: rateLimiter(perSecond, perSecond * burstSeconds),
});

/** At most `max` complete lists of an org at once: each holds a socket for as long as its reader takes. */
export function listSlots(max: number): { take(orgId: string): () => void } {
  const busy = new Map<string, number>();
  return {
    /** @throws HttpError 429 with Retry-After; gives the function that frees the slot, once */
    take(orgId) {
      const used = busy.get(orgId) ?? 0;
      if (used >= max)
        throw new HttpError(429, `${max} complete lists of this org are being read already; use limit`, {
          headers: { 'Retry-After': '1' },
        });
      busy.set(orgId, used + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (busy.get(orgId) ?? 1) - 1;
        if (left === 0) busy.delete(orgId);
        else busy.set(orgId, left);
      };
    },
  };
}
