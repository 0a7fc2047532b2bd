import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secrets of one sign-in attempt. Only `state` and `challenge` leave this process before the code arrives. */
export interface Attempt {
  /** Returned with the code: a redirect without it belongs to another attempt. */
  state: string;
  /** Proves to the portal that the redeemer of the code requested it (RFC 7636). */
  verifier: string;
  /** SHA-256 of the verifier. */
  challenge: string;
}

/** A portal's code: 256 random bits. */
export const codeForm = /^[\w-]{43}$/;

export function newAttempt(): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  return {
    state: randomBytes(16).toString('base64url'),
    verifier,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
}

/** Compares in constant time. */
export function isStateOf({ state }: Pick<Attempt, 'state'>, given: string): boolean {
  const [expected, actual] = [Buffer.from(state), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
