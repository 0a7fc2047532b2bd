/** The roles, lowest first. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The caller of an operation. Kinds as in `x-token-kinds` of the contract; an org token is admin in its org. */
export type Caller =
  | { kind: 'user'; orgId: string; tokenId: string; userId: string; role: Role }
  | { kind: 'org'; orgId: string; tokenId: string; role: 'admin' }
  | { kind: 'robot'; orgId: string; tokenId: string; robotId: string }
  | { kind: 'enroll'; orgId: string; keyId: string }
  /** A robot's agent that dials back, authenticated by the secret of the session. */
  | { kind: 'stream'; orgId: string; sessionId: string }
  /** Another replica that requests a stream, authenticated by its signed grant. */
  | { kind: 'replica'; sessionId: string }
  | { kind: 'admin' };

export type CallerKind = Caller['kind'];

/** The rights of a credential in one org. */
export interface Grant {
  caller: Caller;
  orgSuspended?: boolean; // default: false
}

export const orgOf = (caller: Caller): string | undefined => ('orgId' in caller ? caller.orgId : undefined);
export const hasAtLeastRole = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
