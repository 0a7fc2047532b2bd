/** A key by which robots enroll into one fleet, without its value, of which only the digest is kept. */
export interface EnrollmentKey {
  id: string;
  siteId: string;
  fleetId: string;
  label: string | undefined;
  maxUses: number | undefined; // undefined: any number
  uses: number;
  lastFour: string;
  createdAt: Date;
  expiresAt: Date | undefined; // undefined: never
  revokedAt: Date | undefined;
  lastUsedAt: Date | undefined;
}

export interface EnrollmentKeyFilter {
  siteId?: string | undefined;
  fleetId?: string | undefined;
}

export interface NewEnrollmentKey {
  siteId: string;
  fleetId: string;
  label?: string | undefined;
  maxUses?: number | undefined;
  expiresInHours?: number | undefined; // 0 or undefined: never
}

/** Why a key that exists is not taken. Told to the org's audit log, never to the caller: all answer like a key that does not exist. */
export type Refusal = 'revoked' | 'expired' | 'used_up' | 'org_not_approved';

/** What a bearer of a key gets to hear, whatever the reason. */
export const refusedMessage = 'enrollment key unknown, expired, revoked or used up';
