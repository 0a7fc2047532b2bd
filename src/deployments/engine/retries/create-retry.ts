import type { Knex } from 'knex';
import { parseDuration } from '../../../kernel/duration.ts';
import { newId } from '../../../kernel/ids.ts';
import { textArray } from '../../../platform/db/arrays.ts';
import { oneWave } from '../admission/gradual.ts';
import type { Decider } from '../approvals/decide-approval.ts';
import { insertDeploymentEvent } from '../events.ts';
import { rolloutOf } from '../holds.ts';
import type { DeploymentStatus } from '../model.ts';
import { failedRobots, reasonsOf, type RetryReason } from './retry-robots.ts';

/** What a person requested, as on the wire. */
export interface RetryTerms {
  reasons: RetryReason[];
  attempts: number;
  backoff: string;
  reason?: string; // for people
}

/** An attempt to create. */
interface NewAttempt {
  orgId: string;
  sourceId: string; // the deployment that failed on the robots
  sourceStatus: DeploymentStatus;
  retryOf: string; // the original, also for the retry of a retry
  attempt: number; // from 1
  terms: RetryTerms;
  author: Decider | undefined; // undefined: the service
}

/**
 * Pace, gates and windows of the original hold for its retry; its waves, rules and approvals do not. If the original was
 * made for a robot that joined, they are those of its cause.
 */
const rolloutSql = `(select :oneWave::jsonb || nullif(jsonb_strip_nulls(jsonb_build_object(
  'pace', o.rollout -> 'pace', 'gates', o.rollout -> 'gates', 'windows', o.rollout -> 'windows',
  'ignored_windows', o.rollout -> 'ignored_windows')), '{}')
  from (select ${rolloutOf('d')} as rollout) o)`;

/**
 * Creates a deployment for the robots on which a deployment failed, and returns its ID; undefined if there is none to
 * retry. The failed deployment is locked and has ended. The claimer begins the new one.
 */
export async function createRetry(trx: Knex, attempt: NewAttempt): Promise<string | undefined> {
  const { orgId, sourceId, retryOf, terms, author } = attempt;
  const retryId = newId();
  // At most 1 d * 2^4.
  const waitSeconds = (parseDuration(terms.backoff) ?? 0) * 2 ** (attempt.attempt - 1);
  const { rows } = await trx.raw<{ rows: { robots: number }[] }>(
    `with chosen as materialized (
       select robot_id, rank from (${failedRobots}) as found where code is null
     ), made as (
       insert into deployments (org_id, id, lane, payload_key, release_id, config_id, revision, namespace, key, payload_digest, proof,
                                target_kind, target_id, active_minutes, signature, key_id, order_terms, required_capabilities, is_urgent, ignores_windows, rollout, waits_for_maintenance,
                                author_kind, author_id, retry_of, retry, retry_attempt, retries_left, scheduled_at, due_at, allow_downgrade, traceparent)
       select d.org_id, :retryId::uuid, d.lane, d.payload_key, d.release_id, d.config_id, d.revision, d.namespace, d.key, d.payload_digest, d.proof,
              d.target_kind, d.target_id, d.active_minutes, d.signature, d.key_id, d.order_terms, d.required_capabilities, d.is_urgent, d.ignores_windows, ${rolloutSql}, d.waits_for_maintenance,
              :authorKind::text, :authorId::uuid, :retryOf::uuid, :terms::jsonb, :attempt::smallint, :left::smallint,
              case when :waitSeconds::float8 > 0 then due.at end, due.at, d.allow_downgrade, d.traceparent
         from deployments d cross join lateral (
           select date_trunc('milliseconds', now()) + make_interval(secs => :waitSeconds::float8) as at) due
        where d.org_id = :orgId and d.id = :deploymentId and exists (select from chosen)
       returning org_id, id
     ), robots as (
       insert into retry_robots (org_id, robot_id, retry_id, rank) select made.org_id, chosen.robot_id, made.id, chosen.rank from made, chosen
       returning robot_id
     ), counted as (
       insert into deployment_counts (org_id, deployment_id, event_seq) select org_id, id, 1 from made
     ), noted as (
       insert into deployment_events (org_id, deployment_id, seq, status) select org_id, id, 1, 'scheduled' from made
     )
     select count(*) as robots from robots`,
    {
      orgId,
      deploymentId: sourceId,
      retryId,
      retryOf,
      waitSeconds,
      reasons: textArray(reasonsOf(terms.reasons)),
      oneWave: JSON.stringify(oneWave),
      authorKind: author?.kind ?? null,
      authorId: author?.id ?? null,
      terms: JSON.stringify(terms),
      attempt: attempt.attempt,
      left: terms.attempts - attempt.attempt,
    },
  );
  const robots = rows[0]?.robots ?? 0;
  if (robots === 0) return undefined;
  const what = `deployment ${retryId} retries ${robots} ${robots === 1 ? 'robot' : 'robots'}`;
  await insertDeploymentEvent(trx, {
    orgId,
    deploymentId: sourceId,
    status: attempt.sourceStatus,
    reason: 'retry',
    message: terms.reason === undefined ? what : `${what}: ${terms.reason}`,
  });
  return retryId;
}
