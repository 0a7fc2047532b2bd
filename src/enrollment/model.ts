/** A key with which robots enroll into one fleet, without its value, of which only the digest is stored. */
export interface EnrollmentKey {
  id: string;
  siteId: string;
  fleetId: string;
  label: string | undefined;
  maxUses: number | undefined; // undefined: unlimited
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

/**
 * Why an existing key is refused. Recorded in the org's audit log, never sent: the caller gets the same response as for
 * an unknown key.
 */
export type Refusal = 'revoked' | 'expired' | 'used_up' | 'org_not_approved';

/** The message to the holder of a refused key, whatever the reason. */
export const refusedMessage = 'enrollment key unknown, expired, revoked or used up';
