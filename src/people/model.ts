import type { Role } from '../kernel/caller.ts';
import { normalEmail } from '../kernel/emails.ts';

/** Who signs in: a subject of an issuer, and a user of each org that invited the address. */
export interface Person {
  id: string;
  email: string; // lower case, as the provider told it last; tells the person to people, never to us
  name: string | undefined;
}

/** What an identity provider says of who signs in. */
export interface Identity {
  issuer: string;
  subject: string; // 1 to 255 characters (OpenID Connect Core §2)
  email: string;
  emailVerified: boolean; // only then do invitations to this address count
  name: string | undefined;
}

/** A person as a user of one org. */
export interface Membership {
  orgId: string;
  orgName: string;
  orgStatus: 'pending' | 'approved' | 'suspended';
  isRequested: boolean; // the person asked for this org; while that waits, for no other
  userId: string;
  role: Role;
}

/** An invitation that a sign-in accepted. */
export interface Accepted {
  orgId: string;
  userId: string;
  email: string;
  role: Role;
}

/** Those of the contract, for both may become a user's. */
const maxNameLength = 128;
const maxEmailLength = 254;
const printable = /^[^\p{C}]+$/u;
const addressForm = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u;

/** As `normalEmail` writes it; undefined for what is no address. */
export function readEmail(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= maxEmailLength && addressForm.test(text)
    ? normalEmail(text)
    : undefined;
}

/** A name that may be shown: without control characters, cut where it has no end. */
export function readName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const name = text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
    .replace(/\p{Cs}$/u, '')
    .trimEnd(); // no half of a pair
  return name === '' ? undefined : name;
}

/** Undefined for what a provider may not give as one. */
export function readSubject(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= 255 && printable.test(text) ? text : undefined;
}
