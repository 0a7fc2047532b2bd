import type { Caller, Grant, Role } from '../kernel/caller.ts';

/** A token of an org, without its value, of which only the digest is kept. */
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
  rotationWantedAt: Date | undefined; // since then a robot's agent is to ask for a new value
  lastUsedAt: Date | undefined; // to the minute, up to half a minute late
}

export interface TokenFilter {
  kind?: string | undefined;
  userId?: string | undefined;
  robotId?: string | undefined;
  state?: TokenState | undefined;
}

/** Whether a token is good now, or was revoked or has expired. */
export type TokenState = 'good' | 'ended';

/** Whom a token stands for, and with what right. */
export type Owner = { kind: 'org' } | { kind: 'user'; userId: string } | { kind: 'robot'; robotId: string };

/** What a good token lets its bearer be in one of its orgs, until it expires. */
export interface TokenGrant extends Grant {
  caller: Extract<Caller, { tokenId: string }>;
  expiresAt: Date | undefined;
  orgSuspended: boolean;
}

/** An org that a token is good in, with what its bearer may do there. */
export interface TokenOrg {
  id: string;
  name: string;
  role: Role;
  suspended: boolean;
}

/** What a token of a person is to be, beside whose: in each org the person is a user of his own. */
export interface PersonToken {
  memberships: readonly { orgId: string; userId: string }[];
  label?: string | undefined;
  expiresInHours?: number | undefined;
}

/** Why the bearer of a token may not go on: for good, or as long as the org is suspended. */
export type AccessLoss = 'lost' | 'suspended';
