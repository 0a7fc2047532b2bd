import type { Knex } from 'knex';
import type { Caller } from '../../kernel/caller.ts';
import { hasAtLeastRole } from '../../kernel/caller.ts';
import { forbidden } from '../../kernel/errors.ts';
import { digestOf, mintToken } from '../../kernel/tokens.ts';
import { robotService } from '../../robots/service.ts';
import { tokenService } from '../../tokens/service.ts';
import { streamRoles, type TicketKind } from './model.ts';
import { ticketStore } from './store.ts';

export type { TicketKind } from './model.ts';
export type TicketService = ReturnType<typeof ticketService>;

/** Callers that may get a ticket. */
type Holder = Extract<Caller, { kind: 'user' | 'org' }>;

export function ticketService(db: Knex) {
  const tickets = ticketStore(db);
  return {
    /**
     * Issues a ticket; `value` is not stored.
     * @throws not_found if the org has no such robot, forbidden if the role is too low for the stream
     */
    async issue(
      { orgId, tokenId, role }: Holder,
      robotId: string,
      kind: TicketKind,
    ): Promise<{ value: string; robotId: string; expiresAt: Date }> {
      const robot = await robotService(db).get(orgId, robotId);
      if (!hasAtLeastRole(role, streamRoles[kind]))
        throw forbidden(`a ${kind} needs ${streamRoles[kind]} or higher; this token is ${role}`);
      const { value, digest } = mintToken('ticket');
      return {
        value,
        robotId: robot.id,
        expiresAt: await tickets.create({ orgId, tokenId, robotId: robot.id, kind }, digest),
      };
    },

    /**
     * Uses up a ticket. Returns its caller with the current rights of its token. Undefined if the ticket is unknown,
     * used, expired, or for something else.
     */
    async redeem(value: string, robotId: string, kind: TicketKind): Promise<Caller | undefined> {
      const used = await tickets.use(digestOf(value), robotId, kind);
      return used && tokenService(db).callerOf(used.orgId, used.tokenId);
    },

    /** Deletes tickets that expired unused. */
    dropExpired: tickets.dropExpired,
  };
}
