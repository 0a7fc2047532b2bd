import type { CallerKind } from '../../../kernel/caller.ts';
import { HttpError } from '../reply/failures.ts';
import { rateLimiter } from '../access/rate-limit.ts';

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

/** A robot fetches one artifact at a time and kind; the rest is for its retries. */
const transfersPerRobotToken = 8;
/** Of a user, an org, or a session in a browser. */
const transfersPerToken = 32;
const transfersPerOrg = 256;
/** How soon a refused transfer may be tried again, in seconds. */
const transferRetrySeconds = 5;
/** An upload must bring this much on average, once its first minute is over. */
export const minUploadBytesPerSecond = 16 * 1024;

/** What each key holds at the moment. */
function holdings() {
  const counts = new Map<string, number>();
  return {
    countOf: (key: string): number => counts.get(key) ?? 0,
    /** Gives the function that frees it, once. */
    take(key: string): () => void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}

const full = (message: string, retryAfterSeconds: number) =>
  new HttpError(429, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });

/** At most `max` complete lists of an org at once: each holds a socket for as long as its reader takes. */
export function listSlots(max: number): { take(orgId: string): () => void } {
  const lists = holdings();
  return {
    /** @throws HttpError 429 with Retry-After; gives the function that frees the slot, once */
    take(orgId) {
      if (lists.countOf(orgId) >= max)
        throw full(`${max} complete lists of this org are being read already; use limit`, 1);
      return lists.take(orgId);
    },
  };
}

/**
 * Files on their way in or out at once, of a token and of an org: each holds a socket, an open file and up to 64 KiB of memory for as long as the
 * other side takes. Counted in this process, so each replica has the limits anew.
 */
export function transferSlots() {
  const tokens = holdings();
  const orgs = holdings();
  return {
    /** @throws HttpError 429 with Retry-After; gives the function that frees the slot, once */
    take(token: string, orgId: string, kind: CallerKind): () => void {
      const most = kind === 'robot' ? transfersPerRobotToken : transfersPerToken;
      if (tokens.countOf(token) >= most)
        throw full(`${most} transfers of this token are in progress; wait for one to end`, transferRetrySeconds);
      if (orgs.countOf(orgId) >= transfersPerOrg)
        throw full(
          `${transfersPerOrg} transfers of this org are in progress; wait for one to end`,
          transferRetrySeconds,
        );
      const [freeToken, freeOrg] = [tokens.take(token), orgs.take(orgId)];
      return () => {
        freeToken();
        freeOrg();
      };
    },
  };
}
