import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secrets of one sign-in. Only `state` and `challenge` leave this process before there is a code. */
export interface Attempt {
  /** Comes back with the code: an answer without it belongs to another sign-in. */
  state: string;
  /** Proves to the portal that who brings the code is who asked for it (RFC 7636). */
  verifier: string;
  /** SHA-256 of the verifier. */
  challenge: string;
}

/** What a portal gives: 256 random bits. */
export const codeForm = /^[\w-]{43}$/;

export function newAttempt(): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  return {
    state: randomBytes(16).toString('base64url'),
    verifier,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
  };
}

/** In a time that tells nothing of the state. */
export function isStateOf({ state }: Pick<Attempt, 'state'>, given: string): boolean {
  const [expected, actual] = [Buffer.from(state), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
