import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import { goodForSeconds, type TicketFacts, type TicketKind } from './model.ts';

/** A ticket that expires later was issued while the clock of the database was ahead. It would be valid for long. */
const isValid = `expires_at between now() and now() + interval '${2 * goodForSeconds} seconds'`;

export function ticketStore(db: Knex) {
  return {
    /** Returns when it expires, by the database's clock. */
    async create({ orgId, tokenId, robotId, kind }: TicketFacts, digest: Buffer): Promise<Date> {
      const { rows } = await db.raw<{ rows: { expires_at: Date }[] }>(
        `insert into stream_tickets (org_id, digest, token_id, robot_id, kind, expires_at)
         values (?, ?, ?, ?, ?, now() + make_interval(secs => ?)) returning expires_at`,
        [orgId, digest, tokenId, robotId, kind, goodForSeconds],
      );
      return rows[0]?.expires_at as Date; // an insert without conflict returns its row
    },

    /** Uses up a ticket of any org: its row determines the org. Undefined if it is not valid for this stream. */
    async use(
      digest: Buffer,
      robotId: string,
      kind: TicketKind,
    ): Promise<{ orgId: string; tokenId: string } | undefined> {
      if (!isId(robotId)) return undefined;
      const { rows } = await db.raw<{ rows: { org_id: string; token_id: string }[] }>(
        `delete from stream_tickets where digest = ? and robot_id = ? and kind = ? and ${isValid} returning org_id, token_id`,
        [digest, robotId, kind],
      );
      return rows[0] && { orgId: rows[0].org_id, tokenId: rows[0].token_id };
    },

    async dropExpired(): Promise<void> {
      await db.raw(`delete from stream_tickets where not (${isValid})`);
    },
  };
}
