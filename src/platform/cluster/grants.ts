import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a grant is good; half a minute more is given to the clock of another machine. */
const goodForMs = 30_000;
const mark = 'cluster';

/** What one replica tells another about itself and its request; no more than fits into a header of 512 bytes. */
export type Facts = Record<string, string>;

interface Payload {
  to: string;
  path: string;
  expires: number; // Unix time in ms
  nonce: string;
  facts: Facts;
}

const macOf = (text: string, secret: string): Buffer => createHmac('sha256', secret).update(text).digest();

/**
 * Leave for one request from one replica to another, by what both of them know: `cluster.<payload>.<HMAC-SHA256>`, both in base64url. `secrets`: the
 * first signs, each of them is taken, so that they can be changed one replica after the other.
 */
export function clusterGrants(replicaId: string, secrets: readonly string[], nowMs: () => number = Date.now) {
  const used = new Map<string, number>(); // nonces, and until when they would be good

  /** In the order in which they came, which is nearly that in which they expire. */
  function forgetOld(now: number): void {
    for (const [nonce, until] of used) {
      if (until > now) return;
      used.delete(nonce);
    }
  }

  /** The payload of a grant that one of our secrets signed, in base64url. */
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
    /** Leave for a GET of `path` at that replica. */
    sign(to: string, path: string, facts: Facts): string {
      const nonce = randomBytes(9).toString('base64url');
      const payload: Payload = { to, path, expires: nowMs() + goodForMs, nonce, facts };
      const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
      return `${mark}.${text}.${macOf(text, secrets[0] ?? '').toString('base64url')}`;
    },

    /** Whether the text has the form of a grant, and another secret signed it. */
    isForeign: (grant: string): boolean => grant.startsWith(`${mark}.`) && openSigned(grant) === undefined,

    /** The facts of a grant that is for this replica, this path and now, and was not shown before; else undefined. */
    check(grant: string, path: string): Facts | undefined {
      const text = openSigned(grant);
      if (text === undefined) return undefined;
      // Signed with our secret, so it has the form that we write.
      const {
        to,
        path: forPath,
        expires,
        nonce,
        facts,
      } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
      const now = nowMs();
      if (to !== replicaId || forPath !== path || expires < now || expires > now + 2 * goodForMs) return undefined;
      forgetOld(now);
      if (used.has(nonce)) return undefined;
      used.set(nonce, expires);
      return facts;
    },
  };
}
