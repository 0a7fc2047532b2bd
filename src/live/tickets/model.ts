import type { Role } from '../../kernel/caller.ts';

/** The streams that a ticket may be for, each with the least role of its requester. */
export const streamRoles = {
  shell: 'operator',
  logs: 'viewer',
  camera: 'viewer',
  topic: 'viewer',
} as const satisfies Record<string, Role>;
export type TicketKind = keyof typeof streamRoles;

/** What a ticket opens, and for which token. */
export interface TicketFacts {
  orgId: string;
  tokenId: string;
  robotId: string;
  kind: TicketKind;
}

/** From its creation to the upgrade that uses it; the stream continues after that. */
export const goodForSeconds = 30;
