import type { Knex } from 'knex';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import { checkWaves, readRollout, type RolloutWave } from '../../rollout-policies/service.ts';
import { needsApproval } from '../api/approvals.ts';
import { frozenConflict } from '../api/freezes.ts';
import { getDeployment } from '../api/get-deployment.ts';
import type { DeploymentKind, DeploymentViews } from '../api/views.ts';
import { requestAdvance } from '../engine/controls/advance.ts';
import { requestCancel } from '../engine/controls/cancel.ts';
import { findFreezeLocked } from '../engine/controls/freeze.ts';
import { requestPause, requestResume } from '../engine/controls/pause.ts';
import { requestSkip } from '../engine/controls/skip.ts';
import { changeWaves } from '../engine/controls/change-waves.ts';
import { hasEnded, type DeploymentStatus } from '../engine/model.ts';

export type ControlService = ReturnType<typeof controlService>;

/** A deployment before and after a change; the same view if there was none. `announce`: hints for other replicas. */
interface Change<Each extends DeploymentKind> {
  before: DeploymentViews[Each];
  after: DeploymentViews[Each];
  announce: Hint[];
}

/** What people do with a deployment once it exists. */
export function controlService(db: Knex) {
  /** Until the transaction ends, no freeze begins. @throws conflict while the org is frozen, but for rollbacks */
  async function refuseFrozen(orgId: string, { rollback_of: rollbackOf }: { rollback_of?: string }): Promise<void> {
    const found = rollbackOf === undefined ? await findFreezeLocked(db, orgId) : undefined;
    if (found) throw frozenConflict(found);
  }

  return {
    /**
     * Requests the cancellation of a deployment. Repeating it changes nothing; then `after` is `before`. Returns the
     * hints to announce. Runs in a transaction.
     * @throws not_found, conflict once it has ended
     */
    async cancel<Each extends DeploymentKind>(orgId: string, deploymentKind: Each, id: string): Promise<Change<Each>> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      const outcome = await requestCancel(db, orgId, before.id);
      if (outcome?.kind === 'ended') throw conflict(`the deployment has ended: ${outcome.status}`);
      if (outcome?.kind !== 'changed') return { before, after: before, announce: [] };
      return { before, after: await getDeployment(db, orgId, deploymentKind, id), announce: outcome.announce };
    },

    /**
     * Pauses a deployment (`to: paused`), or continues it. Repeating it changes nothing; then `after` is `before`.
     * Returns the hints to announce. Runs in a transaction.
     * @throws not_found, conflict once it has ended or is being cancelled, and to continue it while it waits for approval or the org is frozen
     */
    async control<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      { to, reason }: { to: 'paused' | 'resumed'; reason: string | undefined },
    ): Promise<Change<Each>> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      if (to === 'resumed') await refuseFrozen(orgId, before);
      const outcome = await (to === 'paused' ? requestPause : requestResume)(db, {
        orgId,
        deploymentId: before.id,
        reason,
      });
      if (outcome?.kind === 'needs_approval') throw needsApproval(deploymentKind, id);
      if (outcome?.kind === 'refused') throw conflict(stateText(outcome.status));
      const after = await getDeployment(db, orgId, deploymentKind, id); // another request may have changed it before the lock
      if (outcome?.kind !== 'changed') return { before: after, after, announce: [] };
      return { before, after, announce: outcome.announce };
    },

    /**
     * Begins the next wave of a rollout within a second. Repeating it meanwhile changes nothing; then `after` is
     * `before`. Runs in a transaction.
     * @throws not_found, conflict without a next wave, if the deployment is not in progress, and while the org is frozen
     */
    async advance<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      reason: string | undefined,
    ): Promise<Change<Each>> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      await refuseFrozen(orgId, before);
      const outcome = await requestAdvance(db, { orgId, deploymentId: before.id, reason });
      if (outcome?.kind === 'no_rollout') throw noRollout();
      if (outcome?.kind === 'last_wave') throw conflict('the last wave has begun');
      if (outcome?.kind === 'needs_approval') throw needsApproval(deploymentKind, id);
      if (outcome?.kind === 'refused') throw conflict(stateText(outcome.status));
      const after = await getDeployment(db, orgId, deploymentKind, id);
      return { before: outcome?.kind === 'changed' ? before : after, after, announce: [] };
    },

    /**
     * Skips a wave of a rollout: its robots that wait do not receive the deployment. Repeating it changes nothing; then
     * `after` is `before`. Runs in a transaction.
     * @throws not_found, bad_request if there is no such wave, conflict if it has ended or is the last one, without a
     * rollout, before it begins and once it is being cancelled
     */
    async skip<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      { wave, reason }: { wave: number; reason?: string },
    ): Promise<Change<Each>> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      const outcome = await requestSkip(db, { orgId, deploymentId: before.id, wave, reason });
      switch (outcome?.kind) {
        case undefined:
          throw notFound('deployment');
        case 'no_wave':
          throw badRequest(`body.wave: the rollout has ${outcome.lastWave} waves`);
        case 'no_rollout':
          throw noRollout();
        case 'not_begun':
          throw conflict('the deployment has not begun');
        case 'last_wave':
          throw conflict('the last wave cannot be skipped; cancel the deployment instead');
        case 'wave_ended':
          throw conflict(`wave ${wave} has ended`);
        case 'refused':
          throw conflict(stateText(outcome.status));
        case 'changed':
          return { before, after: await getDeployment(db, orgId, deploymentKind, id), announce: [] };
        case 'unchanged': {
          const after = await getDeployment(db, orgId, deploymentKind, id);
          return { before: after, after, announce: [] };
        }
      }
    },

    /**
     * Replaces the waves of a rollout that have not begun, from one on. Of two calls, the later one counts. Runs in a
     * transaction.
     * @throws not_found, bad_request as for the rollout of a new deployment, conflict if the wave has begun, if it or a later
     * one was skipped, if people approve the rollout, without one, before it begins and once it is being cancelled
     */
    async setWaves<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      change: { from: number; waves: RolloutWave[]; reason?: string },
    ): Promise<Change<Each>> {
      const before = await getDeployment(db, orgId, deploymentKind, id);
      await checkWaves(db, orgId, 'body', readRollout('body', { waves: change.waves }));
      const outcome = await changeWaves(db, { ...change, orgId, deploymentId: before.id, reason: change.reason });
      switch (outcome?.kind) {
        case undefined:
          throw notFound('deployment');
        case 'no_wave':
          throw badRequest(`body.from: the rollout has ${outcome.lastWave} waves`);
        case 'no_rollout':
          throw noRollout();
        case 'not_begun':
          throw conflict('the deployment has not begun');
        case 'approved':
          throw conflict(
            'people approved the rollout with its waves; skip a wave, or cancel the deployment and create another',
          );
        case 'last_wave':
          throw conflict('the last wave has begun');
        case 'wave_begun':
          throw conflict(`wave ${change.from} has begun; change the waves from ${outcome.next} on`);
        case 'wave_skipped':
          throw conflict(`wave ${outcome.wave} was skipped; change the waves from ${outcome.wave + 1} on`);
        case 'refused':
          throw conflict(stateText(outcome.status));
        case 'changed':
          return { before, after: await getDeployment(db, orgId, deploymentKind, id), announce: [] };
      }
    },
  };
}

const noRollout = () => conflict('the deployment has no rollout: all robots receive it at once');

/** Why a deployment in this status cannot be controlled so. */
function stateText(status: DeploymentStatus): string {
  if (status === 'cancelling') return 'the deployment is being cancelled';
  if (status === 'paused') return 'the deployment is paused; resume it first';
  return hasEnded(status) ? `the deployment has ended: ${status}` : 'the deployment has not begun';
}
