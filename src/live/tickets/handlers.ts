import type { Knex } from 'knex';
import { unauthorized } from '../../kernel/errors.ts';
import { tokenKindOf } from '../../kernel/tokens.ts';
import type { Handlers } from '../../platform/http/dispatch/operation.ts';
import type { UpgradeRoute } from '../../platform/ws/upgrade.ts';
import type { TicketKind, TicketService } from './service.ts';

export const ticketHandlers = (tickets: (db: Knex) => TicketService) =>
  ({
    async createStreamTicket({ caller, db, body }) {
      const { kind } = body;
      const { value, robotId, expiresAt } = await tickets(db).issue(caller, body.robot_id, kind);
      const made = { robot_id: robotId, kind, expires_at: expiresAt.toISOString() };
      return {
        status: 201,
        body: { data: { ...made, ticket: value } },
        audit: { orgId: caller.orgId, objectKind: 'robot', objectId: robotId, after: made },
      };
    },
  }) satisfies Pick<Handlers, 'createStreamTicket'>;

/** The route of a robot's stream, `/…/{id}/…`, that also accepts a ticket in place of a token. */
export const takingTickets = (
  tickets: Pick<TicketService, 'redeem'>,
  kind: TicketKind,
  route: UpgradeRoute,
): UpgradeRoute => ({
  ...route,
  async identify(credential, params) {
    if (credential === undefined || tokenKindOf(credential) !== 'ticket') return undefined;
    const caller = await tickets.redeem(credential, params['id'] ?? '', kind);
    if (!caller) throw unauthorized('the ticket is unknown, used, expired or for another stream');
    return caller;
  },
});
