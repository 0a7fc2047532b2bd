import type { Knex } from 'knex';
import { configService } from '../../configs/service.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/page.ts';
import { releaseService } from '../../releases/service.ts';
import { configPayload, releasePayload, type Payload } from '../engine/payloads.ts';
import { readTouchedGroups, refuseNoRoom } from '../engine/admission/touched-groups.ts';
import { changedRobots, planHash } from '../engine/plans/plan-hash.ts';
import { insertPlanRobots, readPlanRobots, readWavesAgain } from '../engine/plans/plan-robots.ts';
import { countRobots, maxTargets, readWaves, usualOrder } from '../engine/rollouts/read-waves.ts';
import { checkTarget } from './check-target.ts';
import { checkKind, type PlanRequest } from './plan-request.ts';
import { planStore, type Plan } from './plan-store.ts';
import { forecastOf, withForecast } from './plan-forecast.ts';
import { planView, type PlanView } from './plan-wire.ts';
import type { PlanRobotRows } from './plan-views.ts';
import { readTarget, type RequestedTarget } from './requests.ts';
import { robotsIn, robotsOf } from './target-robots.ts';
import type { DeploymentKind } from './views.ts';

export type PlanService = ReturnType<typeof planService>;

export function planService(db: Knex) {
  const plans = planStore(db);

  async function get(orgId: string, id: string): Promise<PlanView> {
    const plan = await plans.find(orgId, id);
    if (!plan) throw notFound('deployment plan');
    const [waves, conflicts, groups] = await Promise.all([
      plans.countWaves(orgId, id),
      plans.findConflicts(orgId, id),
      readTouchedGroups(db, plannedRobots(orgId, id)),
    ]);
    const view = planView(plan, waves, conflicts, groups);
    return plan.hasBegun ? view : withForecast(view, await forecastOf(db, orgId, plan, view));
  }

  async function payloadOf(orgId: string, { releaseId = '', configId = '', kind, revision }: PlanRequest) {
    return kind === 'release'
      ? releasePayload(await releaseService(db).getDeployable(orgId, releaseId))
      : configPayload(await configService(db).getRevision(orgId, configId, revision));
  }

  /** @throws conflict for a target with no robots or too many, and if a disruption budget never has room for one */
  async function plan(orgId: string, payload: Payload, target: RequestedTarget): Promise<{ id: string; hash: string }> {
    const robots = await robotsOf(db, orgId, target);
    const count = await countRobots(db, robots, maxTargets);
    if (count === 0) throw conflict(`no_targets: the ${target.targetKind} has no robots, so there is nothing to plan`);
    if (count > maxTargets)
      throw conflict(`too_many_targets: a deployment has at most ${maxTargets} robots; choose a smaller target`);
    refuseNoRoom(await readTouchedGroups(db, robots));
    const order = usualOrder(`${robots.bindings.bind(payload.digest)}::text`);
    const planned = await readWaves(db, robots, order, target.rollout);
    const [id, hash] = [newId(), planHash(payload.digest, target, planned)];
    await plans.create(orgId, id, payload, target, hash);
    await insertPlanRobots(db, { orgId, planId: id }, planned);
    return { id, hash };
  }

  return {
    /** @throws not_found */
    get,

    /**
     * Plans a deployment. Runs in a transaction.
     * @throws not_found and bad_request as for a deployment; conflict for an archived release, a deleted entry, a retired
     * robot, a target with no robots or too many, and one with robots that a disruption budget never lets be unavailable
     */
    async create(orgId: string, request: PlanRequest): Promise<PlanView> {
      checkKind(request);
      const target = await readTarget(db, orgId, request);
      const payload = await payloadOf(orgId, request);
      await checkTarget(db, orgId, target);
      return get(orgId, (await plan(orgId, payload, target)).id);
    },

    /**
     * Plans a new deployment that people must approve, and lets it execute the plan. The locks of its target are held.
     * @throws conflict for a target with no robots or too many
     */
    async createFor(
      orgId: string,
      payload: Payload,
      target: RequestedTarget,
      deploymentId: string,
    ): Promise<{ id: string; hash: string }> {
      const planned = await plan(orgId, payload, target);
      await plans.noteDeployment(orgId, planned.id, deploymentId);
      return planned;
    },

    /** @throws not_found */
    async listRobots(orgId: string, id: string, wave: number | undefined, page: Page): Promise<PlanRobotRows> {
      if (!(await plans.find(orgId, id))) throw notFound('deployment plan');
      return plans.listRobots(orgId, id, wave, page);
    },

    /**
     * The plan of a deployment to create. Until the transaction ends, no other deployment can have it.
     * @throws not_found, bad_request for a plan of the other kind, conflict if another deployment executes it
     */
    async claim(orgId: string, deploymentKind: DeploymentKind, id: string): Promise<Plan> {
      const plan = await plans.find(orgId, id, { lock: true });
      if (!plan) throw notFound('deployment plan');
      const kind = plan.config ? 'config' : 'release';
      if (kind !== deploymentKind) throw badRequest(`body.plan_id: the plan is of a ${kind}`);
      if (plan.deploymentId !== undefined)
        throw conflict(`deployment ${plan.deploymentId} executes the plan; a plan is executed once, so plan again`);
      return plan;
    },

    /**
     * Lets a new deployment execute the plan. The locks of its target are held.
     * @throws conflict, with what changed, if its robots would not be the planned ones in the planned waves
     */
    async execute(orgId: string, plan: Plan, payload: Payload, deploymentId: string): Promise<void> {
      const now = await readWavesAgain(db, await robotsOf(db, orgId, plan), plan.id, plan.rollout);
      if (planHash(payload.digest, plan, now) !== plan.hash) {
        const changes = changedRobots(await readPlanRobots(db, { orgId, planId: plan.id }), now);
        if (payload.digest !== plan.payloadDigest) changes.push('what it deploys is another payload');
        throw conflict(`the plan no longer holds: ${changes.join(', ')}; plan again`);
      }
      await plans.noteDeployment(orgId, plan.id, deploymentId);
    },

    /** Robots of the plan that now run a newer release. The count ends at `most`: all robots of a plan would take a second. */
    countDowngrades: plans.countDowngrades,

    /** Deletes expired plans, step by step. Returns whether more are left. */
    dropExpired: plans.dropExpired,
  };
}

const plannedRobots = (orgId: string, id: string) => robotsIn(orgId, { kind: 'plan', id, fleetId: undefined });
