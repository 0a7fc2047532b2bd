import type { CallerKind } from '../../../kernel/caller.ts';
import { HttpError } from '../reply/failures.ts';
import { rateLimiter } from '../access/rate-limit.ts';

/** Size of a burst, in seconds of calls. */
const burstSeconds = 5;

/** Counts one call. Returns the headers with the remaining allowance (draft-ietf-httpapi-ratelimit-headers). */
export type CallLimits = (key: string, changes: boolean) => Record<string, string>;

/**
 * Reads and writes are counted separately, so that polling by a dashboard never blocks a deployment.
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
/** For a token of a user or an org, or a browser session. */
const transfersPerToken = 32;
const transfersPerOrg = 256;
/** Retry-After of a refused transfer, in seconds. */
const transferRetrySeconds = 5;
/** Minimum average rate of an upload after its first minute. */
export const minUploadBytesPerSecond = 16 * 1024;

/** The number of slots that each key holds now. */
function holdings() {
  const counts = new Map<string, number>();
  return {
    countOf: (key: string): number => counts.get(key) ?? 0,
    /** Returns the function that frees it, once. */
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
    /** @throws HttpError 429 with Retry-After; returns the function that frees the slot, once */
    take(orgId) {
      if (lists.countOf(orgId) >= max) throw full(`${max} complete lists of this org are being read; use limit`, 1);
      return lists.take(orgId);
    },
  };
}

/**
 * Limits concurrent uploads and downloads of a token and of an org. Each holds a socket, an open file and up to 64 KiB
 * of memory for as long as the other side takes. Counted per process: each replica has its own limits.
 */
export function transferSlots() {
  const tokens = holdings();
  const orgs = holdings();
  return {
    /** @throws HttpError 429 with Retry-After; returns the function that frees the slot, once */
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
