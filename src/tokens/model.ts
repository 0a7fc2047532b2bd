import type { Caller, Grant, Role } from '../kernel/caller.ts';

/** A token of an org, without its value, of which only the digest is stored. */
export interface Token {
  id: string;
  kind: 'org' | 'user' | 'robot';
  userId: string | undefined;
  robotId: string | undefined;
  label: string | undefined;
  lastFour: string;
  createdAt: Date;
  expiresAt: Date | undefined;
  revokedAt: Date | undefined;
  rotationWantedAt: Date | undefined; // since then the robot's agent is asked to rotate it
  lastUsedAt: Date | undefined; // to the minute, up to 30 s late
}

export interface TokenFilter {
  kind?: string | undefined;
  userId?: string | undefined;
  robotId?: string | undefined;
  state?: TokenState | undefined;
}

/** Whether a token is valid now (`good`), or revoked or expired (`ended`). */
export type TokenState = 'good' | 'ended';

/** The owner of a token. */
export type Owner = { kind: 'org' } | { kind: 'user'; userId: string } | { kind: 'robot'; robotId: string };

/** The rights of a valid token in one of its orgs, until it expires. */
export interface TokenGrant extends Grant {
  caller: Extract<Caller, { tokenId: string }>;
  expiresAt: Date | undefined;
  orgSuspended: boolean;
}

/** An org in which a token is valid, with its role there. */
export interface TokenOrg {
  id: string;
  name: string;
  role: Role;
  suspended: boolean;
}

/** Properties of a person's token. In each org the person is a different user. */
export interface PersonToken {
  memberships: readonly { orgId: string; userId: string }[];
  label?: string | undefined;
  expiresInHours?: number | undefined;
}

/** Why a token lost its access: permanently, or while the org is suspended. */
export type AccessLoss = 'lost' | 'suspended';
