import type { CallerKind, Grant } from '../../../kernel/caller.ts';
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

/**
 * The key of a rate limit: the token, so that two tokens of one user do not starve each other. A token has the same id
 * in all its orgs.
 */
export function keyOf([grant]: readonly Grant[]): string {
  if (!grant) throw new Error('a credential without a grant was let in');
  const { caller } = grant;
  if (caller.kind === 'admin') return 'admin';
  if ('sessionId' in caller) return caller.sessionId;
  return caller.kind === 'enroll' ? caller.keyId : caller.tokenId;
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
/** JSON bodies in memory, of all requests of a replica, and of those of one org: four orgs would have to send as much. */
const maxBodiesBytes = 64 * 1024 * 1024;
const maxBodiesBytesOfOrg = maxBodiesBytes / 4;
/** Retry-After of a refused body, in seconds. */
const bodyRetrySeconds = 2;
/** Minimum average rate of an upload after its first minute. */
export const minUploadBytesPerSecond = 16 * 1024;

/** What each key holds now: a number of slots, or of bytes. */
function holdings() {
  const counts = new Map<string, number>();
  const countOf = (key: string): number => counts.get(key) ?? 0;
  function add(key: string, count: number): void {
    const held = countOf(key) + count;
    if (held === 0) counts.delete(key);
    else counts.set(key, held);
  }
  return {
    countOf,
    add,
    /** Takes one. Returns the function that frees it, once. */
    take(key: string): () => void {
      add(key, 1);
      let held = true;
      return () => {
        if (held) add(key, -1);
        held = false;
      };
    },
  };
}

const full = (message: string, retryAfterSeconds: number, closes = false) =>
  new HttpError(429, message, { headers: { 'Retry-After': String(retryAfterSeconds) }, closes });

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

/** Limits the bytes of JSON bodies that are in memory: a body is read before its request gets a slot. Counted per process. */
export function bodyMemory() {
  const orgs = holdings();
  let total = 0;
  return {
    /** The body of one request of this org. */
    of(orgId: string) {
      let held = 0;
      const add = (bytes: number) => {
        held += bytes;
        total += bytes;
        orgs.add(orgId, bytes);
      };
      return {
        /** Counts bytes that arrived. @throws HttpError 429 with Retry-After, which closes the connection */
        add(bytes: number): void {
          add(bytes);
          if (orgs.countOf(orgId) > maxBodiesBytesOfOrg)
            throw full(
              'the org sends too many large bodies at once; send them one after the other',
              bodyRetrySeconds,
              true,
            );
          if (total > maxBodiesBytes) throw full('the service is overloaded, try again', bodyRetrySeconds, true);
        },
        free: () => add(-held),
      };
    },
  };
}
