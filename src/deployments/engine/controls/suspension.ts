import type { Knex } from 'knex';
import { lockFreezeToChange } from './freeze-lock.ts';

/*
 * While an org is suspended its robots cannot connect. So that no deadline passes and no rule judges them, the worker of
 * any replica freezes its deployments within a second. The freeze ends by itself some minutes after the org is resumed,
 * when its robots are back. A freeze of people stays as it is.
 *
 *   `thaws_at` null       of people
 *   `thaws_at` infinity   of a suspension, until the org is resumed
 *   `thaws_at`            of a suspension that is over
 */

/** From the resume of an org to the thaw, in seconds: its agents wait for 60 to 75 s between two attempts. */
const robotsReturnSeconds = 180;

/** SQL of the orgs, as `org_id`, whose freeze does not follow their suspension yet. */
export const suspensionChanges = `
  select o.id as org_id from orgs o
   where o.status = 'suspended' and exists (select from deployments d where d.org_id = o.id and d.ended_at is null and d.rollback_of is null)
     and not exists (select from deployment_freezes f where f.org_id = o.id and f.thawed_at is null and coalesce(f.thaws_at, 'infinity') = 'infinity')
  union all
  select f.org_id from deployment_freezes f join orgs o on o.id = f.org_id
   where o.status <> 'suspended' and f.thawed_at is null and (f.thaws_at = 'infinity' or f.thaws_at <= clock_timestamp())`;

/** Begins the freeze of a suspended org, and ends that of one that was resumed when its robots had time to return. */
export async function followSuspension(trx: Knex, orgId: string): Promise<void> {
  await lockFreezeToChange(trx, orgId);
  await trx.raw(
    `insert into deployment_freezes as f (org_id, frozen_at, frozen_by, reason, thaws_at)
     select id, clock_timestamp(), 'the service', 'the org is suspended', 'infinity' from orgs where id = :orgId and status = 'suspended'
     on conflict (org_id) do update
        set frozen_at = case when f.thawed_at is null then f.frozen_at else excluded.frozen_at end,
            frozen_by = excluded.frozen_by, reason = excluded.reason, thawed_at = null, thaw_reason = null, thaws_at = excluded.thaws_at
      where f.thawed_at is not null or f.thaws_at is not null`,
    { orgId },
  );
  await trx.raw(
    `update deployment_freezes f
        set thaws_at = case when f.thaws_at = 'infinity' then clock_timestamp() + make_interval(secs => :robotsReturnSeconds) end,
            thawed_at = case when f.thaws_at < 'infinity' then clock_timestamp() end,
            thaw_reason = case when f.thaws_at < 'infinity' then 'the org is resumed' end
       from orgs o
      where f.org_id = :orgId and o.id = f.org_id and o.status <> 'suspended' and f.thawed_at is null
        and (f.thaws_at = 'infinity' or f.thaws_at <= clock_timestamp())`,
    { orgId, robotsReturnSeconds },
  );
}
