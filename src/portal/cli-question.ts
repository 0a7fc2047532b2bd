import { createHash, timingSafeEqual } from 'node:crypto';
import { badRequest } from '../kernel/errors.ts';

/** What a client asks for when it sends a person here. Nothing of it is trusted: anybody can write such an address. */
export interface CliQuestion {
  redirectUri: string; // where the client listens, on the person's own machine
  challenge: string; // SHA-256 of the verifier that the client keeps
  state: string; // the client's own; goes back to it
  host: string; // name of the client's machine, as it says
  org: string | undefined; // id or name; the person chooses where there is none
  showsCode: boolean; // the browser is on another machine than the client
}

/**
 * The literal address of the browser's own machine, any port, this path; RFC 8252 §7.3 and §8.3. A name may lead elsewhere, and for `[::1]` a
 * page's policy has no form that browsers obey.
 */
const redirectForm = /^http:\/\/127\.0\.0\.1:([1-9]\d{0,4})\/callback$/;
const digestForm = /^[\w-]{43}$/; // SHA-256 as base64url
const stateForm = /^[\w-]{22,128}$/; // 128 bits at least
const verifierForm = /^[\w.~-]{43,128}$/; // RFC 7636 §4.1
const hostForm = /^[^\p{C}]{1,64}$/u;
const orgForm = /^[^\p{C}]{1,200}$/u;

export const isRedirectUri = (text: string): boolean => Number(redirectForm.exec(text)?.[1] ?? 65_536) <= 65_535;

export const isVerifier = (text: string): boolean => verifierForm.test(text);

/** In a time that tells nothing of the challenge. */
export function isVerifierOf(verifier: string, challenge: string): boolean {
  const [made, asked] = [createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url')];
  return made.length === asked.length && timingSafeEqual(made, asked);
}

/**
 * Reads the fields of the address, or of the form that carries them on. `one` gives the only value of a name.
 * @throws bad_request, which names the first that is wrong; the browser is never sent on with it
 */
export function readQuestion(one: (name: string) => string | undefined): CliQuestion {
  const field = (name: string, isRight: (text: string) => boolean): string => {
    const value = one(name);
    if (value === undefined || !isRight(value)) throw badRequest(`${name} is missing or not as it must be`);
    return value;
  };
  const optional = (name: string, isRight: (text: string) => boolean) =>
    one(name) === undefined ? undefined : field(name, isRight);
  field('code_challenge_method', (method) => method === 'S256');
  return {
    redirectUri: field('redirect_uri', isRedirectUri),
    challenge: field('code_challenge', (text) => digestForm.test(text)),
    state: field('state', (text) => stateForm.test(text)),
    host: optional('host', (text) => hostForm.test(text)) ?? 'a computer without a name',
    org: optional('org', (text) => orgForm.test(text)),
    showsCode: optional('display', (text) => text === 'code') !== undefined,
  };
}
