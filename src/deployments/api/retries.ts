import type { Knex } from 'knex';
import { configService } from '../../configs/service.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { badRequest, conflict } from '../../kernel/errors.ts';
import { textArray } from '../../platform/db/arrays.ts';
import { namedBindings } from '../../platform/db/named-bindings.ts';
import { releaseService } from '../../releases/service.ts';
import { readTouchedGroups, refuseNoRoom } from '../engine/admission/touched-groups.ts';
import type { Decider } from '../engine/approvals/decide-approval.ts';
import { requestRetry } from '../engine/controls/retry.ts';
import type { RetryTerms } from '../engine/retries/create-retry.ts';
import { failedRobots, reasonsOf, type RetryReason } from '../engine/retries/retry-robots.ts';
import { targetSql } from '../engine/target-sql.ts';
import { getDeployment } from './get-deployment.ts';
import type { DeploymentKind, DeploymentViews } from './views.ts';

export type RetryService = ReturnType<typeof retryService>;

/** What a retry would do now; fields have their wire names. */
interface RetryView {
  retries: { reason: string; robots: number }[];
  excluded: { code: string; robots: number }[];
}

interface RetryRequest {
  reasons?: RetryReason[] | undefined;
  attempts?: number | undefined;
  backoff?: string | undefined;
  reason?: string | undefined;
}

const maxBackoffSeconds = 86_400;

export function retryService(db: Knex) {
  /** Refuses what a new deployment would be refused for. @throws conflict */
  async function refuseUndeployable(orgId: string, view: DeploymentViews[DeploymentKind]): Promise<void> {
    if ('config_id' in view) await configService(db).getRevision(orgId, view.config_id, view.revision);
    else await releaseService(db).getDeployable(orgId, view.release_id);
  }

  return {
    /** @throws not_found, also for a deployment of the other kind; bad_request for unknown reasons */
    async get(orgId: string, deploymentKind: DeploymentKind, id: string, reasons = 'any'): Promise<RetryView> {
      const { id: deploymentId } = await getDeployment(db, orgId, deploymentKind, id);
      const { rows } = await db.raw<{ rows: { reason: string; code: string | null; robots: number }[] }>(
        `select case when code is null then reason end as reason, code, count(*) as robots from (${failedRobots}) as found
          group by 1, 2 order by 3 desc, 1, 2`,
        {
          orgId,
          deploymentId,
          reasons: textArray(reasonsOf(readReasons('reasons', reasons.split(',') as RetryReason[]))),
        },
      );
      return {
        retries: rows.flatMap(({ code, reason, robots }) => (code === null ? [{ reason, robots }] : [])),
        excluded: rows.flatMap(({ code, robots }) => (code === null ? [] : [{ code, robots }])),
      };
    },

    /**
     * Creates a deployment for the robots on which the deployment failed. Runs in a transaction.
     * @throws not_found, bad_request, conflict if it has not ended, is a rollback, was rolled back or has no such robot, if
     * what it deploys was archived or deleted, and if a disruption budget never has room for one of the robots
     */
    async create<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      { request, author }: { request: RetryRequest; author: Decider },
    ): Promise<DeploymentViews[Each]> {
      const terms = termsOf(request);
      const original = await getDeployment(db, orgId, deploymentKind, id);
      await refuseUndeployable(orgId, original);
      const outcome = await requestRetry(db, { orgId, deploymentId: original.id, terms, author });
      if (outcome?.kind === 'open')
        throw conflict(`the deployment has not ended: ${outcome.status}; wait until it has ended, or cancel it first`);
      if (outcome?.kind === 'is_rollback')
        throw conflict('the deployment is a rollback; deploy what it returns to instead');
      if (outcome?.kind === 'rolled_back')
        throw conflict('the deployment, its cause or one of its retries was rolled back; deploy it again instead');
      if (outcome?.kind === 'scheduled')
        throw conflict(
          `deployment ${outcome.id} retries these robots ${outcome.at ? `at ${outcome.at.toISOString()}; cancel it to retry now` : 'now'}`,
        );
      if (outcome?.kind !== 'created')
        throw conflict('no robot is to be retried: none failed for these reasons, or all of those are excluded');
      const bindings = namedBindings({ orgId, deploymentId: outcome.id });
      const robots = { orgId, bindings, isTarget: targetSql(orgId, { kind: 'retry' }, bindings) };
      refuseNoRoom(await readTouchedGroups(db, robots));
      return getDeployment(db, orgId, deploymentKind, outcome.id);
    },
  };
}

/** @throws bad_request */
function readReasons(field: string, reasons: RetryReason[]): RetryReason[] {
  if (reasons.includes('any') && reasons.length > 1)
    throw badRequest(`${field}: any includes the others; send it alone`);
  return reasons;
}

/** With all defaults. @throws bad_request */
function termsOf({ reasons = ['any'], attempts = 1, backoff = '0s', reason }: RetryRequest): RetryTerms {
  const seconds = parseDuration(backoff);
  if (seconds === undefined)
    throw badRequest(`body.backoff: takes a duration such as 90s, 30m, 2h or 1d, not "${backoff}"`);
  if (seconds > maxBackoffSeconds) throw badRequest('body.backoff: must be from 0s to 1d');
  return { reasons: readReasons('body.reasons', reasons), attempts, backoff, ...(reason !== undefined && { reason }) };
}
