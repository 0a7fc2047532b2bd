import type { Knex } from 'knex';
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
