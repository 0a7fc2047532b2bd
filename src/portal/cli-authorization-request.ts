import { createHash, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../kernel/errors.ts';

/** The request of a client that sends a person here. Nothing in it is trusted: anyone can write such an address. */
export interface CliAuthorizationRequest {
  redirectUri: string; // callback of the client, on the person's own machine
  challenge: string; // SHA-256 of the client's verifier
  state: string; // chosen by the client; sent back to it
  host: string; // name of the client's machine, as reported by it
  org: string | undefined; // id or name; if undefined, the person chooses
  showsCode: boolean; // the browser and the client are on different machines
}

/**
 * Only the literal loopback address, any port, this path; RFC 8252 §7.3 and §8.3. A name may resolve elsewhere, and
 * browsers do not accept `[::1]` in a page's policy.
 */
const redirectForm = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})\/callback$/;
const digestForm = /^[\w-]{43}$/; // SHA-256 as base64url
const stateForm = /^[\w-]{22,128}$/; // at least 128 bits
const verifierForm = /^[\w.~-]{43,128}$/; // RFC 7636 §4.1
const hostForm = /^[^\p{C}]{1,64}$/u;
const orgForm = /^[^\p{C}]{1,200}$/u;

export const isRedirectUri = (text: string): boolean => Number(redirectForm.exec(text)?.[1] ?? 65_536) <= 65_535;

export const isVerifier = (text: string): boolean => verifierForm.test(text);

/** Constant-time comparison. */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  const [made, asked] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  return made.length === asked.length && timingSafeEqual(made, asked);
}

/**
 * Parses the fields of the address, or of the form that repeats them. `one` returns the only value of a name.
 * @throws bad_request for the first invalid field; the browser is then never redirected to the client
 */
export function readQuestion(one: (name: string) => string | undefined): CliAuthorizationRequest {
  const field = (name: string, isRight: (text: string) => boolean): string => {
    const value = one(name);
    if (value === undefined || !isRight(value)) throw badRequest(`${name} is missing or invalid`);
    return value;
  };
  const optional = (name: string, isRight: (text: string) => boolean) =>
    one(name) === undefined ? undefined : field(name, isRight);
  field('code_challenge_method', (method) => method === 'S256');
  return {
    redirectUri: field('redirect_uri', isRedirectUri),
    challenge: field('code_challenge', (text) => digestForm.test(text)),
    state: field('state', (text) => stateForm.test(text)),
    host: optional('host', (text) => hostForm.test(text)) ?? 'an unnamed computer',
    org: optional('org', (text) => orgForm.test(text)),
    showsCode: optional('display', (text) => text === 'code') !== undefined,
  };
}
