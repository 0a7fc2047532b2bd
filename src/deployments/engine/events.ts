import type { Knex } from 'knex';
import { plainArray } from '../../platform/db/arrays.ts';
import type { DeploymentStatus } from './model.ts';

/** Numbers and writes an event of a whole deployment, in one statement under the lock of its row. */
export const insertDeploymentEvent = (
  trx: Knex,
  {
    orgId,
    deploymentId,
    status,
    reason,
    message,
  }: { orgId: string; deploymentId: string; status: DeploymentStatus; reason?: string; message?: string | undefined },
): Knex.Raw =>
  trx.raw(
    `with numbered as (
       update deployment_counts set event_seq = event_seq + 1 where org_id = :orgId and deployment_id = :deploymentId returning event_seq
     )
     insert into deployment_events (org_id, deployment_id, seq, at, status, reason, message)
     select :orgId::uuid, :deploymentId::uuid, event_seq, clock_timestamp(), :status::text, :reason::text, :message::text from numbered`,
    { orgId, deploymentId, status, reason: reason ?? null, message: message ?? null },
  );

/** The same for several deployments, with the status that each has now: under the locks of their rows. */
export const insertStatusEvents = (
  trx: Knex,
  {
    orgId,
    ids,
    reason,
    message,
  }: { orgId: string; ids: readonly string[]; reason?: string | undefined; message?: string | undefined },
): Knex.Raw =>
  trx.raw(
    `with numbered as (
       update deployment_counts c set event_seq = event_seq + 1 from deployments d
        where c.org_id = :orgId and c.deployment_id = any(:ids::uuid[]) and d.org_id = c.org_id and d.id = c.deployment_id
       returning c.deployment_id, c.event_seq, d.status
     )
     insert into deployment_events (org_id, deployment_id, seq, at, status, reason, message)
     select :orgId::uuid, deployment_id, event_seq, clock_timestamp(), status, :reason::text, :message::text from numbered`,
    { orgId, ids: plainArray(ids), reason: reason ?? null, message: message ?? null },
  );
