import type { Knex } from 'knex';

/**
 * Callers for the same org wait for one another until their transactions end, so that what one of them counts stays true.
 * Nothing else waits: rows that refer to the org can be written.
 */
export const lockOrg = (trx: Knex, orgId: string): Knex.Raw =>
  trx.raw('select from orgs where id = ? for no key update', [orgId]);
