import type { Caller } from '../kernel/caller.ts';

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
}

export interface TokenFilter {
  kind?: string | undefined;
  userId?: string | undefined;
  robotId?: string | undefined;
}

/** Whom a token stands for, and with what right. */
export type Owner = { kind: 'org' } | { kind: 'user'; userId: string } | { kind: 'robot'; robotId: string };

/** What a good token lets its bearer be, until it expires. */
export interface Grant {
  caller: Extract<Caller, { tokenId: string }>;
  expiresAt: Date | undefined;
  orgSuspended: boolean;
}

/** Why the bearer of a token may not go on: for good, or as long as the org is suspended. */
export type AccessLoss = 'lost' | 'suspended';
