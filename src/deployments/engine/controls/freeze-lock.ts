import type { Knex } from 'knex';
import { plainArray } from '../../../platform/db/arrays.ts';

/** Until the transaction ends, no freeze of these orgs begins or ends. Before any lock of a deployment. */
export const lockFreezes = (trx: Knex, orgIds: readonly string[]): Knex.Raw =>
  trx.raw(
    `select pg_advisory_xact_lock_shared(hashtextextended('deployment freeze ' || org_id, 0))
       from (select distinct org_id::text as org_id from unnest(?::uuid[]) as org_id order by 1) as orgs`,
    [plainArray(orgIds)],
  );

/** The same, for the transaction that freezes or thaws the org: it waits for those that dispatch. */
export const lockFreezeToChange = (trx: Knex, orgId: string): Knex.Raw =>
  trx.raw(`select pg_advisory_xact_lock(hashtextextended('deployment freeze ' || ?, 0))`, [orgId]);
