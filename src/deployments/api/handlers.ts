import type { Knex } from 'knex';
import type { components } from '../../../generated/api.d.ts';
import { listReply, listText } from '../../platform/http/reply/list.ts';
import type { Call, Handlers, OperationId } from '../../platform/http/dispatch/operation.ts';
import type { ApprovalService, Decider } from './approvals.ts';
import { changed, created } from './audit-facts.ts';
import type { DeploymentRequest } from './plan-request.ts';
import type { FreezeService } from './freezes.ts';
import type { PlanService } from './plans.ts';
import type { RetryService } from './retries.ts';
import type { RollbackService } from './rollbacks.ts';
import type { DeploymentService, DeploymentKind } from './service.ts';

export const deploymentHandlers = (
  deployments: (db: Knex) => DeploymentService,
  rollbacks: (db: Knex) => RollbackService,
  plans: (db: Knex) => PlanService,
  approvals: (db: Knex) => ApprovalService,
  freezes: (db: Knex) => FreezeService,
  retries: (db: Knex) => RetryService,
) => {
  const get = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params }: Reading<'getDeployment'>,
  ) => ({
    status: 200 as const,
    body: { data: await deployments(db).get(caller.orgId, deploymentKind, params.id) },
  });
  const targets = (deploymentKind: DeploymentKind, { caller, db, params, query }: Reading<'listDeploymentTargets'>) =>
    listReply(query, (page) =>
      deployments(db).listTargets(
        caller.orgId,
        deploymentKind,
        params.id,
        { status: query.status, robotId: query.robot_id },
        page,
      ),
    );
  const events = async (
    deploymentKind: DeploymentKind,
    { caller, db, params, query }: Reading<'listDeploymentEvents'>,
  ) => ({
    status: 200 as const,
    body: listText(await deployments(db).listEvents(caller.orgId, deploymentKind, params.id, query)),
  });

  const getRollback = async (deploymentKind: DeploymentKind, { caller, db, params }: Reading<'getDeployment'>) => ({
    status: 200 as const,
    body: { data: await rollbacks(db).get(caller.orgId, deploymentKind, params.id) },
  });

  const rollBack = async (
    deploymentKind: DeploymentKind,
    { caller, db, params, body }: Pick<Call<'createDeploymentRollback'>, 'caller' | 'db' | 'params' | 'body'>,
  ) => {
    const wish = { reason: body?.reason, signatures: body?.signatures ?? [] };
    const done = await rollbacks(db).request(caller.orgId, deploymentKind, params.id, wish);
    return {
      status: 200 as const,
      body: { data: done.view },
      ...changed(caller.orgId, deploymentKind, done.before, done.after, done.announce),
    };
  };

  const getRetry = async (
    deploymentKind: DeploymentKind,
    { caller, db, params, query }: Reading<'getDeploymentRetry'>,
  ) => ({
    status: 200 as const,
    body: { data: await retries(db).get(caller.orgId, deploymentKind, params.id, query.reasons) },
  });

  const retry = async <Each extends DeploymentKind>(
    deploymentKind: Each,
    { caller, db, params, body = {} }: Pick<Call<'createDeploymentRetry'>, 'caller' | 'db' | 'params' | 'body'>,
  ) => {
    const wish = { request: body, author: deciderOf(caller) };
    const data = await retries(db).create(caller.orgId, deploymentKind, params.id, wish);
    return { status: 201 as const, body: { data }, ...created(caller.orgId, deploymentKind, data) };
  };

  const getApprovals = async (deploymentKind: DeploymentKind, { caller, db, params }: Reading<'getDeployment'>) => ({
    status: 200 as const,
    body: { data: await approvals(db).get(caller.orgId, deploymentKind, params.id) },
  });

  const decideApproval = async (
    deploymentKind: DeploymentKind,
    { caller, db, params, body }: Pick<Call<'createDeploymentApproval'>, 'caller' | 'db' | 'params' | 'body'>,
  ) => {
    const { decision, plan_hash: planHash, wave, reason } = body;
    const wish = { by: { ...deciderOf(caller), role: caller.role }, decision, planHash, wave, reason };
    const done = await approvals(db).decide(caller.orgId, deploymentKind, params.id, wish);
    return {
      status: 200 as const,
      body: { data: done.view },
      ...changed(caller.orgId, deploymentKind, done.before, done.after, done.announce),
    };
  };

  return {
    listDeployments: ({ caller, db, query }) =>
      listReply(query, (page) =>
        deployments(db).list(caller.orgId, 'release', { ...filterOf(query), releaseId: query.release_id }, page),
      ),

    async createDeployment({ caller, db, body, traceContext }) {
      const data = await deployments(db).createOfRelease(caller.orgId, {
        ...requestOf(body, deciderOf(caller)),
        releaseId: body.release_id,
        traceContext,
      });
      return { status: 201, body: { data }, ...created(caller.orgId, 'release', data) };
    },

    getDeployment: (call) => get('release', call),
    listDeploymentTargets: (call) => targets('release', call),
    listDeploymentEvents: (call) => events('release', call),
    getDeploymentRollback: (call) => getRollback('release', call),
    createDeploymentRollback: (call) => rollBack('release', call),
    getDeploymentRetry: (call) => getRetry('release', call),
    createDeploymentRetry: (call) => retry('release', call),
    getDeploymentApprovals: (call) => getApprovals('release', call),
    createDeploymentApproval: (call) => decideApproval('release', call),

    listConfigDeployments: ({ caller, db, query }) =>
      listReply(query, (page) =>
        deployments(db).list(caller.orgId, 'config', { ...filterOf(query), configId: query.config_id }, page),
      ),

    async createConfigDeployment({ caller, db, body, traceContext }) {
      const data = await deployments(db).createOfConfig(caller.orgId, {
        ...requestOf(body, deciderOf(caller)),
        configId: body.config_id,
        revision: body.revision,
        traceContext,
      });
      return { status: 201, body: { data }, ...created(caller.orgId, 'config', data) };
    },

    getConfigDeployment: (call) => get('config', call),
    listConfigDeploymentTargets: (call) => targets('config', call),
    listConfigDeploymentEvents: (call) => events('config', call),
    getConfigDeploymentRollback: (call) => getRollback('config', call),
    createConfigDeploymentRollback: (call) => rollBack('config', call),
    getConfigDeploymentRetry: (call) => getRetry('config', call),
    createConfigDeploymentRetry: (call) => retry('config', call),
    getConfigDeploymentApprovals: (call) => getApprovals('config', call),
    createConfigDeploymentApproval: (call) => decideApproval('config', call),

    async getDeploymentFreeze({ caller, db }) {
      return { status: 200, body: { data: await freezes(db).get(caller.orgId) } };
    },

    async setDeploymentFreeze({ caller, db, body }) {
      const { before, after, announce } = await freezes(db).set(caller, body.reason);
      return { status: 200, body: { data: after }, ...frozen(caller.orgId, before, after), announce };
    },

    async deleteDeploymentFreeze({ caller, db, query }) {
      const { before, after, announce } = await freezes(db).delete(caller.orgId, query.reason);
      const why = query.reason === undefined || before === after ? after : { ...after, reason: query.reason };
      return { status: 200, body: { data: after }, ...frozen(caller.orgId, before, why), announce };
    },

    async createDeploymentPlan({ caller, db, body }) {
      const what = { kind: body.kind, releaseId: body.release_id, configId: body.config_id, revision: body.revision };
      const data = await plans(db).create(caller.orgId, { ...what, ...targetOf(body) });
      const audit = { orgId: caller.orgId, objectKind: 'deployment_plan', objectId: data.id, after: data };
      return { status: 201, body: { data }, audit };
    },

    async getDeploymentPlan({ caller, db, params }) {
      return { status: 200, body: { data: await plans(db).get(caller.orgId, params.id) } };
    },

    listDeploymentPlanRobots: ({ caller, db, params, query }) =>
      listReply(query, (page) => plans(db).listRobots(caller.orgId, params.id, query.wave, page)),

    async getPayload({ caller, db, params: { digest } }) {
      const payload = await deployments(db).getPayload(caller.orgId, caller.robotId, digest);
      return { status: 200, body: { data: { digest, payload } } };
    },
  } satisfies Partial<Handlers>;
};

/** What lists of both kinds are filtered by. */
const filterOf = (query: Reading<'listDeployments'>['query'] | Reading<'listConfigDeployments'>['query']) => ({
  status: query.status,
  targetId: query.target_id,
  targetSelector: query.target_selector,
  causeKind: query.cause_kind,
  rollbackOf: query.rollback_of,
  retryOf: query.retry_of,
  awaitsApproval: query.waiting_on === 'approval',
});

/** A call of an operation of either deployment kind. */
type Reading<Id extends OperationId> = Pick<Call<Id>, 'caller' | 'db' | 'params' | 'query'>;

type Schemas = components['schemas'];

const targetOf = <Kind>(body: Omit<Schemas['DeploymentPlanCreate'], NotOfTarget> & { target_kind: Kind }) => ({
  targetKind: body.target_kind,
  targetId: body.target_id,
  targetSelector: body.target_selector,
  rollout: body.rollout,
  rolloutPolicyId: body.rollout_policy_id,
  dynamic: body.dynamic,
  dynamicUntil: body.dynamic_until,
  ignoreWindows: body.ignore_windows,
  allowDowngrade: body.allow_downgrade,
});
type NotOfTarget = 'kind' | 'release_id' | 'config_id' | 'revision' | 'target_kind';

const requestOf = (body: Omit<Schemas['DeploymentCreate'], 'release_id'>, author: Decider): DeploymentRequest => ({
  author,
  ...targetOf({ ...body, target_kind: body.target_kind }),
  planId: body.plan_id,
  scheduledAt: body.scheduled_at,
  activeMinutes: body.active_minutes,
  signature: body.signature,
  keyId: body.key_id,
  urgent: body.urgent,
  ignoreGates: body.ignore_gates,
  allowUngated: body.allow_ungated,
});

/** All tokens of an org are one: they belong to no person. */
const deciderOf = (caller: Call<'createDeployment'>['caller']): Decider =>
  caller.kind === 'user' ? { kind: 'user', id: caller.userId } : { kind: 'org', id: caller.orgId };

/** The audit facts of a freeze or thaw, if it was one. */
const frozen = (orgId: string, before: object, after: object) => ({
  audit:
    before === after
      ? ('unchanged' as const)
      : { orgId, objectKind: 'deployment_freeze', objectId: orgId, before, after },
});
