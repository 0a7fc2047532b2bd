import type { Knex } from 'knex';
import type { Role } from '../../kernel/caller.ts';
import { badRequest, conflict, forbidden, notFound, type DomainError } from '../../kernel/errors.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { beginning } from '../engine/approvals/request-approval.ts';
import { decideApproval, type Decider } from '../engine/approvals/decide-approval.ts';
import { getDeployment } from './get-deployment.ts';
import { approvalStore, type ApprovalRow, type AuthorRow } from './approval-store.ts';
import type { ApprovalRequestView, DeploymentKind, DeploymentViews } from './views.ts';

export type ApprovalService = ReturnType<typeof approvalService>;
export type { Decider };

interface PersonView {
  kind: string;
  id: string;
  name: string;
}

/** Who approved what of a deployment; fields have their wire names. */
interface ApprovalsView {
  request?: ApprovalRequestView;
  author?: PersonView;
  decisions: {
    wave: number;
    decision: string;
    plan_hash: string;
    by: PersonView;
    reason?: string;
    at: string;
    lapsed_at?: string;
  }[];
}

interface ApprovalWish {
  by: Decider & { role: Role };
  decision: 'approve' | 'reject';
  planHash: string;
  wave: number | undefined;
  reason: string | undefined;
}

export function approvalService(db: Knex) {
  const approvals = approvalStore(db);

  async function read(orgId: string, deployment: DeploymentViews[DeploymentKind]): Promise<ApprovalsView> {
    const [author, decisions] = await Promise.all([
      approvals.findAuthor(orgId, deployment.id),
      approvals.list(orgId, deployment.id),
    ]);
    return viewOf(deployment.approval, author, decisions);
  }

  return {
    /** @throws not_found, also for a deployment of the other kind */
    get: async (orgId: string, deploymentKind: DeploymentKind, id: string): Promise<ApprovalsView> =>
      read(orgId, await getDeployment(db, orgId, deploymentKind, id)),

    /**
     * Approves or rejects what a deployment waits for. The same decision again changes nothing; then `after` is `before`.
     * Returns the hints to announce. Runs in a transaction.
     * @throws not_found, forbidden for its author and for a role that is too low, conflict if it waits for no approval, for that
     * of another wave, or executes another plan, bad_request without the wave once it has begun
     */
    async decide<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      wish: ApprovalWish,
    ): Promise<{ before: DeploymentViews[Each]; after: DeploymentViews[Each]; view: ApprovalsView; announce: Hint[] }> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      const outcome = await decideApproval(db, { ...wish, orgId, deploymentId: before.id });
      const after = await getDeployment(db, orgId, deploymentKind, id);
      switch (outcome?.kind) {
        case undefined:
          throw notFound('deployment');
        case 'author':
          throw forbidden(`the author of a deployment cannot ${wish.decision} it`);
        case 'role':
          throw forbidden(`needs ${outcome.least} or higher, as the rollout requires; this token is ${wish.by.role}`);
        case 'other_plan':
          throw conflict('the deployment executes another plan: its hash is not this plan_hash; read it again');
        case 'not_waiting':
          throw conflict(`the deployment does not wait for approval: it is ${after.status}`);
        case 'wave_missing':
          throw badRequest('body.wave: is required once the deployment has begun');
        case 'other_wave':
          throw conflict(
            `the deployment waits for approval of ${waveText(outcome.wave)}, not of ${waveText(wish.wave)}`,
          );
        case 'unchanged':
          return { before: after, after, view: await read(orgId, after), announce: [] };
        case 'changed':
          return { before, after, view: await read(orgId, after), announce: outcome.announce };
      }
    },
  };
}

const waveText = (wave: number | undefined): string => (wave === beginning ? 'its beginning' : `wave ${wave ?? ''}`);

/** Why a deployment that waits for approval cannot be continued otherwise. */
export const needsApproval = (deploymentKind: DeploymentKind, id: string): DomainError =>
  conflict(
    `the deployment waits for approval; approve it: POST ${deploymentKind === 'release' ? '/api/deployments' : '/api/configs/deployments'}/${id}/approvals`,
  );

function viewOf(
  request: ApprovalRequestView | undefined,
  author: AuthorRow | undefined,
  decisions: readonly ApprovalRow[],
): ApprovalsView {
  return {
    ...(request && { request }),
    ...(author && { author }),
    decisions: decisions.map((row) => ({
      wave: row.wave,
      decision: row.decision,
      plan_hash: row.plan_hash,
      by: { kind: row.kind, id: row.id, name: row.name },
      ...(row.reason !== null && { reason: row.reason }),
      at: row.at.toISOString(),
      ...(row.lapsed_at && { lapsed_at: row.lapsed_at.toISOString() }),
    })),
  };
}
