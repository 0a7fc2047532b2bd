import type { Role } from '../../kernel/caller.ts';

/** The streams that a ticket may be for, each with the least role of who asks for one. */
export const streamRoles = {
  shell: 'operator',
  logs: 'viewer',
  camera: 'viewer',
  topic: 'viewer',
} as const satisfies Record<string, Role>;
export type TicketKind = keyof typeof streamRoles;

/** What a ticket opens, and in whose name. */
export interface TicketFacts {
  orgId: string;
  tokenId: string;
  robotId: string;
  kind: TicketKind;
}

/** From its making to the upgrade that takes it; the stream that it opened goes on. */
export const goodForSeconds = 30;
