import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lifetime of a grant; another 30 s are allowed for replicas of 0.1.0, which use the clocks of their machines. */
const goodForMs = 30_000;
const mark = 'cluster';

/** Facts that one replica sends another about itself and its request; they must fit into a header of 512 bytes. */
export type GrantClaims = Record<string, string>;

interface Payload {
  to: string;
  path: string;
  expires: number; // Unix time in ms
  nonce: string;
  facts: GrantClaims;
}

const macOf = (text: string, secret: string): Buffer => createHmac('sha256', secret).update(text).digest();

/**
 * Permission for one request from one replica to another, by a shared secret: `cluster.<payload>.<HMAC-SHA256>`, both
 * in base64url. `secrets`: the first signs, all are accepted, so that they can be changed one replica after the other.
 */
export function clusterGrants(replicaId: string, secrets: readonly string[], nowMs: () => number) {
  const used = new Map<string, number>(); // nonces and their expiry

  const isValid = (expires: number, now: number) => expires >= now && expires <= now + 2 * goodForMs;

  /** In insertion order, which is almost the order of expiry. Grants of a clock that was ahead are no longer valid. */
  function forgetOld(now: number): void {
    for (const [nonce, expires] of used) {
      if (isValid(expires, now)) return;
      used.delete(nonce);
    }
  }

  /** The payload, in base64url, of a grant signed with one of the secrets. */
  function openSigned(grant: string): string | undefined {
    const [name, text = '', mac = '', ...more] = grant.split('.');
    if (name !== mark || more.length > 0) return undefined;
    const given = Buffer.from(mac, 'base64url');
    const isOurs = secrets.some((secret) => {
      const own = macOf(text, secret);
      return own.length === given.length && timingSafeEqual(own, given);
    });
    return isOurs ? text : undefined;
  }

  return {
    /** A grant for a GET of `path` on that replica. */
    sign(to: string, path: string, facts: GrantClaims): string {
      const nonce = randomBytes(9).toString('base64url');
      const payload: Payload = { to, path, expires: nowMs() + goodForMs, nonce, facts };
      const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
      return `${mark}.${text}.${macOf(text, secrets[0] ?? '').toString('base64url')}`;
    },

    /** Whether the text has the form of a grant, but was signed with another secret. */
    isForeign: (grant: string): boolean => grant.startsWith(`${mark}.`) && openSigned(grant) === undefined,

    /** The facts of a grant that is valid for this replica, this path and now, and is not used yet; else undefined. */
    check(grant: string, path: string): GrantClaims | undefined {
      const text = openSigned(grant);
      if (text === undefined) return undefined;
      // Signed with a shared secret, so it has the expected form.
      const {
        to,
        path: forPath,
        expires,
        nonce,
        facts,
      } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
      const now = nowMs();
      if (to !== replicaId || forPath !== path || !isValid(expires, now)) return undefined;
      forgetOld(now);
      if (used.has(nonce)) return undefined;
      used.set(nonce, expires);
      return facts;
    },
  };
}
