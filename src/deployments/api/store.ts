import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/page.ts';
import { textArray } from '../../platform/db/arrays.ts';
import { insertRow } from '../../platform/db/insert.ts';
import { jsonRows, noRows, type JsonRows } from '../../platform/db/json-rows.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Decider } from '../engine/approvals/decide-approval.ts';
import { isQueueFull } from '../engine/queue-limit.ts';
import type { OrderTerms } from '../engine/order-port.ts';
import type { Payload } from '../engine/payloads.ts';
import { deploymentListing, type DeploymentRows, type DeploymentViews, type DeploymentKind } from './views.ts';
import { eventColumns, targetListing, type EventColumn, type TargetRows } from './views-targets.ts';

/** A deployment to create. */
export interface NewDeployment {
  targetKind: 'robot' | 'fleet' | 'selector';
  targetId: string; // of the robot, fleet or stored selector
  scheduledAt: Date | undefined; // undefined: at once
  activeMinutes: number;
  signature: string | undefined; // base64; only with keyId
  keyId: string | undefined;
  orderTerms: OrderTerms | undefined;
  requiredCapabilities: readonly string[];
  rollout: object | undefined; // as on the wire; undefined: all robots at once
  policy: { id: string; name: string } | undefined; // that has this rollout
  planId: string | undefined; // that has its robots
  isUrgent: boolean; // it ignores the pace of its rollout
  author: Decider;
  traceContext: string | undefined; // of the request that created it, if it was traced
  approvalHash: string | undefined; // of the plan, if people must approve it
  dynamicUntil: Date | undefined; // robots that match its selector until then receive it too
  allowsDowngrade: boolean; // without a rollout, nothing is refused
  ignoresWindows: boolean;
}

export interface DeploymentFilter {
  status?: string | undefined;
  isActive?: boolean | undefined; // true: that have not ended
  includesRetries?: boolean | undefined; // true: also with the cause kind `none`
  awaitsApproval?: boolean | undefined; // true: that wait for it
  targetId?: string | undefined;
  rollbackOf?: string | undefined;
  retryOf?: string | undefined;
  causeKind?: string | undefined; // `none`: created by people and programs
  releaseId?: string | undefined;
  configId?: string | undefined;
}

export interface TargetFilter {
  status?: string | undefined;
  robotId?: string | undefined;
}

export interface EventQuery {
  after?: number | undefined;
  limit: number;
}

/** The columns that a deployment shares with its plan: what it brings, for whom, and in which waves. */
export const plannedColumns = (
  payload: Payload,
  {
    targetKind,
    targetId,
    rollout,
    policy,
    dynamicUntil,
    ignoresWindows,
  }: Pick<NewDeployment, 'targetKind' | 'targetId' | 'rollout' | 'policy' | 'dynamicUntil' | 'ignoresWindows'>,
) => ({
  lane: payload.lane,
  payload_key: payload.payloadKey,
  release_id: payload.releaseId,
  config_id: payload.config?.id,
  revision: payload.config?.revision,
  namespace: payload.config?.namespace,
  key: payload.config?.key,
  payload_digest: payload.digest,
  target_kind: targetKind,
  target_id: targetId,
  rollout: rollout && JSON.stringify(rollout),
  waits_for_maintenance: rollout !== undefined,
  rollout_policy_id: policy?.id,
  rollout_policy_name: policy?.name,
  dynamic_until: dynamicUntil,
  ignores_windows: ignoresWindows,
});

/** Undefined: nothing is checked. */
const allowsDowngradeOf = ({ releaseId }: Payload, { rollout, allowsDowngrade }: NewDeployment): boolean | undefined =>
  releaseId !== undefined && rollout ? allowsDowngrade : undefined;

export function deploymentStore(db: Knex) {
  return {
    /** Writes the deployment with the rows that it has from the start: the payload, its counts and its first event. */
    async create(orgId: string, id: string, payload: Payload, newDeployment: NewDeployment): Promise<void> {
      const { scheduledAt } = newDeployment;
      const payloadRow = { org_id: orgId, digest: payload.digest, body: payload.payload };
      const row = {
        org_id: orgId,
        id,
        ...plannedColumns(payload, newDeployment),
        proof: payload.proof,
        scheduled_at: scheduledAt,
        // Rounding up would make the deployment due only after this transaction's now().
        due_at: db.raw("greatest(?::timestamptz, date_trunc('milliseconds', now()))", [scheduledAt ?? null]),
        match_at: newDeployment.dynamicUntil && db.raw('now()'),
        active_minutes: newDeployment.activeMinutes,
        signature: newDeployment.signature,
        key_id: newDeployment.keyId,
        order_terms: newDeployment.orderTerms && JSON.stringify(newDeployment.orderTerms),
        required_capabilities: textArray(newDeployment.requiredCapabilities),
        plan_id: newDeployment.planId,
        is_urgent: newDeployment.isUrgent,
        author_kind: newDeployment.author.kind,
        author_id: newDeployment.author.id,
        traceparent: newDeployment.traceContext,
        approval_hash: newDeployment.approvalHash,
        allow_downgrade: allowsDowngradeOf(payload, newDeployment),
      };
      await Promise.all([
        insertRow(db, 'payloads', payloadRow, { unlessKnown: ['org_id', 'digest'] }),
        insertRow(db, 'deployments', row),
        insertRow(db, 'deployment_counts', { org_id: orgId, deployment_id: id, event_seq: 1 }),
        insertRow(db, 'deployment_events', { org_id: orgId, deployment_id: id, seq: 1, status: 'scheduled' }),
      ]);
    },

    /** Seconds since an instant, negative for one in the future; and whether it is more than `years` years ahead. */
    async distanceOf(at: Date, years: number): Promise<{ passedSeconds: number; isTooFar: boolean }> {
      const { rows } = await db.raw<{ rows: [{ passed_seconds: number; is_too_far: boolean }] }>(
        `select extract(epoch from now() - :at::timestamptz)::float8 as passed_seconds,
           :at::timestamptz > now() + make_interval(years => :years) as is_too_far`,
        { at, years },
      );
      const [{ passed_seconds: passedSeconds, is_too_far: isTooFar }] = rows;
      return { passedSeconds, isTooFar };
    },

    /** Whether the robot's queue is full, not counting what an order of this lane and key would replace. */
    async isQueueFull(
      orgId: string,
      robotId: string,
      { lane, payloadKey }: Pick<Payload, 'lane' | 'payloadKey'>,
    ): Promise<boolean> {
      const { rows } = await db.raw<{ rows: [{ is_full: boolean }] }>(
        `select ${isQueueFull({ orgId: ':orgId', robotId: ':robotId', lane: ':lane', key: ':payloadKey' })} as is_full`,
        { orgId, robotId, lane, payloadKey },
      );
      return rows[0].is_full;
    },

    async list<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      {
        status,
        isActive,
        includesRetries,
        awaitsApproval,
        targetId,
        rollbackOf,
        retryOf,
        causeKind,
        releaseId,
        configId,
      }: DeploymentFilter,
      page: Page,
    ): Promise<DeploymentRows<Each>> {
      if ([targetId, rollbackOf, retryOf, releaseId, configId].some((id) => id !== undefined && !isId(id)))
        return noRows;
      const listing = deploymentListing(deploymentKind);
      const isOurs = causeKind === 'none';
      const cause = isOurs ? undefined : causeKind;
      const filter = {
        org_id: orgId,
        status,
        target_id: targetId,
        rollback_of: rollbackOf,
        retry_of: retryOf,
        cause_kind: cause,
        release_id: releaseId,
        config_id: configId,
      };
      const only = `${listing.only}${isOurs ? ' and cause_id is null and rollback_of is null' : ''}${isOurs && !includesRetries ? ' and retry_of is null' : ''}${isActive || awaitsApproval ? ' and ended_at is null' : ''}${awaitsApproval ? ' and approval_wave is not null' : ''}`;
      return readPage(db, { ...listing, only }, filter, page);
    },

    /** Also undefined for a deployment of the other kind. */
    async find<Each extends DeploymentKind>(
      orgId: string,
      deploymentKind: Each,
      id: string,
      listing = deploymentListing(deploymentKind),
    ): Promise<DeploymentViews[Each] | undefined> {
      if (!isId(id)) return undefined;
      const { objects } = await readPage(db, listing, { org_id: orgId, id }, { limit: 1 });
      return objects[0] === undefined ? undefined : (JSON.parse(objects[0]) as DeploymentViews[Each]);
    },

    async has(orgId: string, deploymentKind: DeploymentKind, id: string): Promise<boolean> {
      if (!isId(id)) return false;
      const found = db('deployments').select('id').where({ org_id: orgId, id }).whereNotNull(`${deploymentKind}_id`);
      return (await found.first()) !== undefined;
    },

    async listTargets(orgId: string, id: string, { status, robotId }: TargetFilter, page: Page): Promise<TargetRows> {
      if (robotId !== undefined && !isId(robotId)) return noRows;
      return readPage(db, targetListing, { org_id: orgId, deployment_id: id, status, robot_id: robotId }, page);
    },

    /** Oldest first: the events after `after`, or the latest ones. */
    async listEvents(orgId: string, id: string, { after, limit }: EventQuery): Promise<JsonRows<EventColumn>> {
      const query = db('deployment_events')
        .select(eventColumns)
        .where({ org_id: orgId, deployment_id: id })
        .limit(limit);
      const wanted =
        after === undefined
          ? db.select('*').from(query.orderBy('seq', 'desc').as('latest')).orderBy('seq')
          : query.where('seq', '>', after).orderBy('seq');
      return jsonRows(db, wanted.toSQL().toNative());
    },

    /** The payload of an open order of this robot. */
    async findOpenPayload(orgId: string, robotId: string, digest: string): Promise<string | undefined> {
      const row = await db<{ body: string }>('orders')
        .join('payloads', { 'payloads.org_id': 'orders.org_id', 'payloads.digest': 'orders.payload_digest' })
        .where({ 'orders.org_id': orgId, robot_id: robotId, payload_digest: digest })
        .whereNull('ended_at')
        .first<{ body: string } | undefined>('body');
      return row?.body;
    },
  };
}
