import type { Rollout, Supersede } from '../../rollout-policies/service.ts';
import type { TouchedGroup } from '../engine/admission/touched-groups.ts';
import type { Plan, WaveCounts } from './plan-store.ts';

interface Conflict {
  deployment_id: string;
  status: string;
  robots: number;
  supersede: Supersede; // what would happen to it
}

interface BudgetView {
  budget_id: string;
  name: string;
  group?: string;
  robots: number;
  total: number;
  unavailable: number;
  allowed: number;
}

/** How long a robot takes. */
interface ForecastBasis {
  kind: 'measured' | 'default';
  robots: number;
  median_seconds: number;
  p90_seconds: number;
}

/** When a plan or a wave would begin and end. */
export interface ForecastView {
  starts_at?: string;
  ends_at?: string;
  duration_seconds?: number;
  reason?: string;
}

/** Groups of budgets in a plan. */
const maxGroups = 100;

/** A plan with the numbers of its robots; fields have their wire names. */
export interface PlanView {
  id: string;
  hash: string;
  kind: 'release' | 'config';
  release_id?: string;
  config_id?: string;
  revision?: number;
  namespace?: string;
  key?: string;
  target_kind: string;
  target_id: string;
  target_selector?: string;
  dynamic_until?: string;
  rollout_policy_id?: string;
  rollout_policy_name?: string;
  rollout?: Rollout;
  ignore_windows?: true;
  allow_downgrade?: true;
  counts: {
    robots: number;
    online: number;
    current: number;
    conflicts: number;
    skipped: number;
    downgrades: number;
  };
  waves: { number: number; name?: string; robots: number; online: number; forecast?: ForecastView }[];
  conflicts: Conflict[];
  budgets: BudgetView[];
  forecast?: ForecastView & { basis: ForecastBasis };
  deployment_id?: string;
  created_at: string;
  expires_at: string;
}

/** `conflicts`: each with `total`, the robots of all of them. */
export function planView(
  plan: Plan,
  waves: readonly WaveCounts[],
  conflicts: readonly (Omit<Conflict, 'supersede'> & { total: number })[],
  groups: readonly TouchedGroup[],
): PlanView {
  const sum = (name: 'robots' | 'online' | 'current' | 'skipped' | 'downgrades') =>
    waves.reduce((total, wave) => total + wave[name], 0);
  const { config, policy } = plan;
  return {
    id: plan.id,
    hash: plan.hash,
    kind: config ? 'config' : 'release',
    ...(plan.releaseId !== undefined && { release_id: plan.releaseId }),
    ...(config && { config_id: config.id, revision: config.revision, namespace: config.namespace, key: config.key }),
    target_kind: plan.targetKind,
    target_id: plan.targetId,
    ...(plan.targetSelector !== undefined && { target_selector: plan.targetSelector }),
    ...(plan.dynamicUntil && { dynamic_until: plan.dynamicUntil.toISOString() }),
    ...(policy && { rollout_policy_id: policy.id, rollout_policy_name: policy.name }),
    ...(plan.rollout && { rollout: plan.rollout }),
    ...(plan.ignoresWindows && { ignore_windows: true }),
    ...(plan.allowsDowngrade && { allow_downgrade: true }),
    counts: {
      robots: sum('robots'),
      online: sum('online'),
      current: sum('current'),
      conflicts: conflicts[0]?.total ?? 0,
      skipped: sum('skipped'),
      downgrades: sum('downgrades'),
    },
    waves: wavesOf(plan.rollout, waves),
    conflicts: conflicts.map(({ deployment_id, status, robots }) => ({
      deployment_id,
      status,
      robots,
      supersede: plan.rollout?.supersede ?? 'replace',
    })),
    budgets: groups.slice(0, maxGroups).map(budgetView),
    ...(plan.deploymentId !== undefined && { deployment_id: plan.deploymentId }),
    created_at: plan.createdAt.toISOString(),
    expires_at: plan.expiresAt.toISOString(),
  };
}

const budgetView = ({ budget, text, robots, total, unavailable, allowed }: TouchedGroup): BudgetView => ({
  budget_id: budget.id,
  name: budget.name,
  ...(text !== undefined && { group: text }),
  robots,
  total,
  unavailable,
  allowed,
});

/** Also those without robots. */
function wavesOf(rollout: Rollout | undefined, counts: readonly WaveCounts[]): PlanView['waves'] {
  const last = Math.max(rollout?.waves.length ?? 1, ...counts.map(({ wave }) => wave));
  return Array.from({ length: last }, (_each, index) => {
    const name = rollout?.waves[index]?.name;
    const { robots = 0, online = 0 } = counts.find(({ wave }) => wave === index + 1) ?? {};
    return { number: index + 1, ...(name !== undefined && { name }), robots, online };
  });
}
