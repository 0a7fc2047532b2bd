import type { Knex } from 'knex';
import { isId } from '../../kernel/ids.ts';
import type { Page } from '../../kernel/page.ts';
import { insertRow } from '../../platform/db/insert.ts';
import { noRows } from '../../platform/db/json-rows.ts';
import type { Rollout } from '../../rollout-policies/service.ts';
import type { Payload } from '../engine/payloads.ts';
import { downgradeCount, listPlanRobots, waveCounts, openConflicts, type PlanRobotRows } from './plan-views.ts';
import type { RequestedTarget } from './requests.ts';
import { plannedColumns } from './store.ts';

/** A plan without its robots. */
export interface Plan {
  id: string;
  releaseId: string | undefined;
  config: { id: string; revision: number; namespace: string; key: string } | undefined;
  payloadDigest: string;
  targetKind: RequestedTarget['targetKind'];
  targetId: string;
  targetSelector: string | undefined;
  rollout: Rollout | undefined;
  ignoresWindows: boolean;
  allowsDowngrade: boolean;
  policy: { id: string; name: string } | undefined;
  dynamicUntil: Date | undefined;
  hash: string;
  deploymentId: string | undefined; // that executes it
  hasBegun: boolean; // that deployment, or it has ended
  createdAt: Date;
  expiresAt: Date;
}

interface Row {
  id: string;
  release_id: string | null;
  config_id: string | null;
  revision: number | null;
  namespace: string | null;
  key: string | null;
  payload_digest: string;
  target_kind: Plan['targetKind'];
  target_id: string;
  target_selector: string | null;
  rollout: Rollout | null;
  rollout_policy_id: string | null;
  rollout_policy_name: string | null;
  dynamic_until: Date | null;
  ignores_windows: boolean;
  allows_downgrade: boolean;
  hash: string;
  deployment_id: string | null;
  has_begun: boolean;
  created_at: Date;
  expires_at: Date;
}

export interface WaveCounts {
  wave: number;
  robots: number;
  online: number;
  current: number;
  skipped: number;
  downgrades: number;
}

interface ConflictRow {
  deployment_id: string;
  status: string;
  robots: number;
  total: number; // robots of all conflicts
}

const keptDays = 7;
/** Maximum number of rows that one statement deletes, so that no lock is held for long. */
const deletedAtOnce = 10_000;

/** Whether a plan has not expired: a scheduled deployment needs it until it begins, and people who approve it until it ends. */
const isKept = `(deployment_plans.expires_at > now() or exists (
  select from deployments d where d.org_id = deployment_plans.org_id and d.id = deployment_plans.deployment_id
     and (d.started_at is null or d.approval_hash is not null) and d.ended_at is null))`;

export function planStore(db: Knex) {
  return {
    async create(orgId: string, id: string, payload: Payload, target: RequestedTarget, hash: string): Promise<void> {
      await insertRow(db, 'deployment_plans', {
        org_id: orgId,
        id,
        ...plannedColumns(payload, target),
        allows_downgrade: target.allowsDowngrade,
        hash,
        expires_at: db.raw('now() + make_interval(days => ?)', [keptDays]),
      });
    },

    /** `lock`: until the transaction ends, no other one executes it. */
    async find(orgId: string, id: string, { lock = false } = {}): Promise<Plan | undefined> {
      if (!isId(id)) return undefined;
      const { rows } = await db.raw<{ rows: Row[] }>(
        `select id, release_id, config_id, revision, namespace, key, payload_digest, target_kind, target_id, rollout,
                rollout_policy_id, rollout_policy_name, dynamic_until, ignores_windows, allows_downgrade, hash, deployment_id, created_at, expires_at,
                exists (select from deployments d where d.org_id = deployment_plans.org_id and d.id = deployment_plans.deployment_id
                           and coalesce(d.started_at, d.ended_at) is not null) as has_begun,
                case when target_kind = 'selector' then
                  (select s.text from selectors s where s.org_id = deployment_plans.org_id and s.id = target_id) end as target_selector
           from deployment_plans where org_id = :orgId and id = :id and ${isKept} ${lock ? 'for update' : ''}`,
        { orgId, id },
      );
      return rows[0] && fromRow(rows[0]);
    },

    /** Notes the deployment that executes the plan. */
    async noteDeployment(orgId: string, id: string, deploymentId: string): Promise<void> {
      await db('deployment_plans').where({ org_id: orgId, id }).update({ deployment_id: deploymentId });
    },

    async countWaves(orgId: string, id: string): Promise<WaveCounts[]> {
      return (await db.raw<{ rows: WaveCounts[] }>(waveCounts, { orgId, id })).rows;
    },

    async countDowngrades(orgId: string, id: string, most: number): Promise<number> {
      const { rows } = await db.raw<{ rows: { robots: number }[] }>(downgradeCount, { orgId, id, most });
      return rows[0]?.robots ?? 0;
    },

    /** Those with most robots first. */
    async findConflicts(orgId: string, id: string): Promise<ConflictRow[]> {
      return (await db.raw<{ rows: ConflictRow[] }>(openConflicts, { orgId, id })).rows;
    },

    async listRobots(orgId: string, id: string, wave: number | undefined, page: Page): Promise<PlanRobotRows> {
      return isId(id) ? listPlanRobots(db, { orgId, planId: id, wave }, page) : noRows;
    },

    /**
     * Deletes expired plans with their robots, step by step, but none that a request executes. Returns whether more are
     * left.
     */
    dropExpired: () =>
      db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { org_id: string; id: string }[] }>(
          `select org_id, id from deployment_plans where expires_at <= now() and not ${isKept}
            order by expires_at limit 1 for update skip locked`,
        );
        const [plan] = rows;
        if (!plan) return false;
        // Asked again under the lock: a deployment may have begun to execute it since that statement began.
        const isLeft = `from deployment_plans where org_id = :org_id and id = :id and not ${isKept}`;
        const { rowCount } = await trx.raw<{ rowCount: number }>(
          `delete from plan_robots where ctid = any(array(
             select ctid from plan_robots where org_id = :org_id and plan_id = :id and exists (select ${isLeft}) limit ${deletedAtOnce}))`,
          { ...plan },
        );
        if (rowCount < deletedAtOnce) await trx.raw(`delete ${isLeft}`, { ...plan });
        return true;
      }),
  };
}

const fromRow = (row: Row): Plan => ({
  id: row.id,
  releaseId: row.release_id ?? undefined,
  config:
    row.config_id === null
      ? undefined
      : { id: row.config_id, revision: row.revision ?? 0, namespace: row.namespace ?? '', key: row.key ?? '' }, // set with config_id
  payloadDigest: row.payload_digest,
  targetKind: row.target_kind,
  targetId: row.target_id,
  targetSelector: row.target_selector ?? undefined,
  rollout: row.rollout ?? undefined,
  policy:
    row.rollout_policy_id === null ? undefined : { id: row.rollout_policy_id, name: row.rollout_policy_name ?? '' },
  dynamicUntil: row.dynamic_until ?? undefined,
  ignoresWindows: row.ignores_windows,
  allowsDowngrade: row.allows_downgrade,
  hash: row.hash,
  deploymentId: row.deployment_id ?? undefined,
  hasBegun: row.has_begun,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});
