import type { Knex } from 'knex';
import { configService, nameOf, type Config } from '../../configs/service.ts';
import { badRequest, conflict, notFound, type DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Hint } from '../../platform/bus/bus.ts';
import type { JsonRows } from '../../platform/db/json-rows.ts';
import type { Page } from '../../kernel/page.ts';
import { releaseService, type Release } from '../../releases/service.ts';
import { abandonRobot, cancelOfConfig, listActiveOfConfig } from '../engine/controls/cancel.ts';
import { beginning, requestApproval } from '../engine/approvals/request-approval.ts';
import { maxWaitingOrders } from '../engine/queue-limit.ts';
import { readTouchedGroups, refuseNoRoom } from '../engine/admission/touched-groups.ts';
import { refuseDowngrade } from '../engine/downgrades.ts';
import { createMissingDeployments, type FleetJoin } from '../engine/missing-deployments.ts';
import { configPayload, releasePayload, type Payload } from '../engine/payloads.ts';
import { checkTarget } from './check-target.ts';
import { refuseBesidePlan, required, type DeploymentRequest } from './plan-request.ts';
import { getDeployment, getNewDeployment } from './get-deployment.ts';
import { withTargetId, type ListFilter } from './list-filter.ts';
import type { Plan } from './plan-store.ts';
import { planService } from './plans.ts';
import { orderTermsOf, readOrder, readTarget, requiredCapabilities, type RequestedTarget } from './requests.ts';
import { robotsOf } from './target-robots.ts';
import { deploymentStore, type NewDeployment, type EventQuery, type TargetFilter } from './store.ts';
import type { DeploymentRows, DeploymentViews, DeploymentKind } from './views.ts';
import type { EventColumn, TargetRows } from './views-targets.ts';

export type { OpenOrder, OrderPort, OrderReport, ReportDone, RobotKey, TraceOfReport } from '../engine/order-port.ts';
export { abandonRobot, requestCancel, type CancelOutcome } from '../engine/controls/cancel.ts';
export { readRetention } from './retention.ts';
export { readBacklog } from '../engine/backlog.ts';
export { createDeploymentEngine, type DeploymentEngine } from '../engine/engine.ts';
export { approvalService } from './approvals.ts';
export { planService } from './plans.ts';
export type { DeploymentViews, DeploymentKind };

export type DeploymentService = ReturnType<typeof deploymentService>;

type RequestedDeployment = NewDeployment & RequestedTarget;

/** Maximum number of events in one response. */
const maxEvents = 1_000;
/** Maximum number of deployments that the deletion of a config entry cancels, in one transaction. */
const maxCancelled = 10_000;
/** Active deployments whose IDs a message has. */
const maxNamed = 5;

export function deploymentService(db: Knex) {
  const deployments = deploymentStore(db);

  async function refuseUnknown(orgId: string, deploymentKind: DeploymentKind, id: string): Promise<void> {
    if (!(await deployments.has(orgId, deploymentKind, id))) throw notFound('deployment');
  }

  /** A scheduled deployment is checked when it starts. */
  async function refuseFullQueue(
    orgId: string,
    payload: Payload,
    { targetKind, targetId, scheduledAt }: NewDeployment,
  ): Promise<void> {
    if (targetKind !== 'robot' || scheduledAt !== undefined) return;
    if (await deployments.isQueueFull(orgId, targetId, payload))
      throw conflict(
        `${maxWaitingOrders} orders are waiting for the robot, which is the maximum; an order for another key or kind is accepted once the robot has received some of them`,
      );
  }

  /** The plan that a request names. @throws as `planService.claim`, bad_request for a field that the plan has too */
  async function claimPlan(
    orgId: string,
    deploymentKind: DeploymentKind,
    request: DeploymentRequest,
  ): Promise<Plan | undefined> {
    if (request.planId === undefined) return undefined;
    refuseBesidePlan(request);
    return planService(db).claim(orgId, deploymentKind, request.planId);
  }

  /** With the target of the plan, if there is one. @throws bad_request, not_found */
  async function readRequest(
    orgId: string,
    request: DeploymentRequest,
    plan: Plan | undefined,
  ): Promise<RequestedDeployment> {
    const target = plan ?? (await readTarget(db, orgId, { ...request, targetKind: required(request, 'targetKind') }));
    const { targetKind, targetId, rollout, policy, dynamicUntil, ignoresWindows, allowsDowngrade } = target;
    const terms = {
      orderTerms: orderTermsOf(request, rollout),
      requiredCapabilities: requiredCapabilities(request, rollout),
    };
    const order = { ...(await readOrder(db, request)), ...terms };
    if (dynamicUntil && order.scheduledAt && dynamicUntil <= order.scheduledAt)
      throw badRequest('body.dynamic_until: must be after scheduled_at, when the deployment begins');
    const approvalHash = rollout?.approval && plan?.hash;
    const planned = { targetKind, targetId, rollout, policy, dynamicUntil, ignoresWindows, allowsDowngrade };
    const { author, traceContext } = request;
    return { ...order, ...planned, planId: plan?.id, author, traceContext, approvalHash };
  }

  /** Without a rollout, an older release is deployed as any other. @throws conflict */
  async function refuseOlder(
    orgId: string,
    release: Release,
    { targetKind, targetId, rollout, allowsDowngrade }: RequestedDeployment,
    plan: Plan | undefined,
  ): Promise<void> {
    if (!rollout || allowsDowngrade) return;
    const hint = `${plan ? 'plan again with' : 'send'} "allow_downgrade": true to deploy it anyway`;
    await refuseDowngrade(db, await robotsOf(db, orgId, { targetKind, targetId }), release, hint);
  }

  async function create(
    orgId: string,
    payload: Payload,
    newDeployment: RequestedDeployment,
    plan: Plan | undefined,
    release?: Release,
  ): Promise<string> {
    const { rollout } = newDeployment;
    await checkTarget(db, orgId, newDeployment, plan || rollout?.approval ? 'change' : 'keep');
    if (release) await refuseOlder(orgId, release, newDeployment, plan);
    await refuseFullQueue(orgId, payload, newDeployment);
    refuseNoRoom(await readTouchedGroups(db, await robotsOf(db, orgId, newDeployment)));
    const id = newId();
    if (plan) await planService(db).execute(orgId, plan, payload, id);
    const made =
      plan || !rollout?.approval ? undefined : await planService(db).createFor(orgId, payload, newDeployment, id);
    const bound = made && { planId: made.id, approvalHash: made.hash };
    await deployments.create(orgId, id, payload, { ...newDeployment, ...bound });
    if (rollout?.approval)
      await requestApproval(db, { orgId, deploymentId: id, rollout, wave: beginning, reason: undefined });
    return id;
  }

  return {
    /** @throws not_found, also for a deployment of the other kind */
    get: <Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
    ): Promise<DeploymentViews[Each]> => getDeployment(db, orgId, deploymentKind, id),

    /** @throws bad_request for a selector that is none */
    list: async <Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      filter: ListFilter,
      page: Page,
    ): Promise<DeploymentRows<Each>> =>
      deployments.list(orgId, deploymentKind, await withTargetId(db, orgId, filter), page),

    /**
     * Deploys a release. Runs in a transaction.
     * @throws not_found for the release, the target or the plan, bad_request for invalid fields, conflict if the release
     * is archived, too many orders wait for the robot, a disruption budget never lets one of the robots be unavailable, robots
     * run a newer release and the rollout does not allow that, or the plan no longer holds
     */
    async createOfRelease(orgId: string, request: DeploymentRequest): Promise<DeploymentViews['release']> {
      const plan = await claimPlan(orgId, 'release', request);
      const releaseId = plan?.releaseId ?? required(request, 'releaseId');
      const newDeployment = await readRequest(orgId, request, plan);
      const release = await releaseService(db).getDeployable(orgId, releaseId);
      const id = await create(orgId, releasePayload(release), newDeployment, plan, release);
      return getNewDeployment(db, orgId, 'release', id, newDeployment);
    },

    /**
     * Deploys a revision of a config entry, by default the newest. Runs in a transaction.
     * @throws as `createOfRelease`; not_found also for an unknown revision, conflict also for a deleted entry
     */
    async createOfConfig(orgId: string, request: DeploymentRequest): Promise<DeploymentViews['config']> {
      const plan = await claimPlan(orgId, 'config', request);
      const { id: configId, revision } = plan?.config ?? {
        id: required(request, 'configId'),
        revision: request.revision,
      };
      const newDeployment = await readRequest(orgId, request, plan);
      const config = await configService(db).getRevision(orgId, configId, revision);
      const id = await create(orgId, configPayload(config), newDeployment, plan);
      return getNewDeployment(db, orgId, 'config', id, newDeployment);
    },

    /**
     * Ends the active deployments of a config entry, including scheduled ones, in the transaction that deleted it.
     * Returns their number and the hints to announce.
     * @throws conflict with their IDs unless `cancels`, or if there are more than 10,000
     */
    async endOfConfig(
      orgId: string,
      config: Config,
      { cancels }: { cancels: boolean },
    ): Promise<{ cancelled: number; announce: Hint[] }> {
      const active = await listActiveOfConfig(db, orgId, config.id, maxCancelled + 1);
      if (active.length === 0) return { cancelled: 0, announce: [] };
      if (!cancels || active.length > maxCancelled) throw inUse(config, active, cancels);
      return { cancelled: active.length, announce: await cancelOfConfig(db, orgId, config.id) };
    },

    /** Creates the deployments that a robot lacks in its new fleet. Runs in the transaction that added the robot. */
    welcome: (orgId: string, arrival: FleetJoin): Promise<Hint[]> => createMissingDeployments(db, orgId, arrival),

    /**
     * Lets the sweeper end all open targets of a robot. Runs in the transaction that removes the robot, before it locks
     * the robot. Returns the hints to announce.
     */
    abandon: (orgId: string, robotId: string): Promise<Hint[]> => abandonRobot(db, orgId, robotId),

    /** The payload of an open order of this robot. @throws not_found, also for another robot's payload */
    async getPayload(orgId: string, robotId: string, digest: string): Promise<string> {
      const payload = await deployments.findOpenPayload(orgId, robotId, digest);
      if (payload === undefined) throw notFound('payload');
      return payload;
    },

    /** The targets of a deployment, ordered by robot ID. @throws not_found */
    async listTargets(
      orgId: string,
      deploymentKind: DeploymentKind,
      id: string,
      filter: TargetFilter,
      page: Page,
    ): Promise<TargetRows> {
      await refuseUnknown(orgId, deploymentKind, id);
      return deployments.listTargets(orgId, id, filter, page);
    },

    /** @throws not_found */
    async listEvents(
      orgId: string,
      deploymentKind: DeploymentKind,
      id: string,
      { after, limit = maxEvents }: Omit<EventQuery, 'limit'> & { limit?: number | undefined },
    ): Promise<JsonRows<EventColumn>> {
      await refuseUnknown(orgId, deploymentKind, id);
      return deployments.listEvents(orgId, id, { after, limit });
    },
  };
}

function inUse(config: Config, active: readonly string[], cancels: boolean): DomainError {
  const [count, verb] = [active.length, active.length === 1 ? 'deployment' : 'deployments'];
  const many = `more than ${maxCancelled} deployments of ${nameOf(config)} are active`;
  if (cancels) return conflict(`${many}, and one request cancels at most ${maxCancelled}; cancel some of them first`);
  if (count > maxCancelled) return conflict(`${many}; cancel some of them first`);
  const named = active.slice(0, maxNamed).join(', ');
  const others = count > maxNamed ? ` and ${count - maxNamed} more` : '';
  return conflict(
    `${count} ${verb} of ${nameOf(config)} ${count === 1 ? 'is' : 'are'} active: ${named}${others}; cancel ${count === 1 ? 'it' : 'them'} first, or delete with cancel_deployments=true`,
  );
}
