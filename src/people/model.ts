import type { Role } from '../kernel/caller.ts';
import { normalEmail } from '../kernel/emails.ts';

/** A person who signs in: a subject of an issuer, and a user of each org that invited the address. */
export interface Person {
  id: string;
  email: string; // lower case, last known from the provider; for display only, never an identifier
  name: string | undefined;
}

/** The claims of an identity provider about a person. */
export interface IdentityClaims {
  issuer: string;
  subject: string; // 1 to 255 characters (OpenID Connect Core §2)
  email: string;
  emailVerified: boolean; // required to accept invitations to this address
  name: string | undefined;
}

/** A person as a user of one org. */
export interface Membership {
  orgId: string;
  orgName: string;
  orgStatus: 'pending' | 'approved' | 'suspended';
  isRequested: boolean; // requested by the person; while it is pending, no other may be requested
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

/** The limits of the contract, as both may become a user's. */
const maxNameLength = 128;
const maxEmailLength = 254;
const printable = /^[^\p{C}]+$/u;
const addressForm = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,255}$/u;

/** Normalised by `normalEmail`; undefined if it is not an address. */
export function readEmail(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= maxEmailLength && addressForm.test(text)
    ? normalEmail(text)
    : undefined;
}

/** A displayable name: without control characters, cut to the maximum length. */
export function readName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const name = text
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
    .replace(/\p{Cs}$/u, '')
    .trimEnd(); // drop a surrogate cut in half
  return name === '' ? undefined : name;
}

/** Undefined for an invalid subject. */
export function readSubject(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= 255 && printable.test(text) ? text : undefined;
}
