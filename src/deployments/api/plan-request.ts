import { badRequest } from '../../kernel/errors.ts';
import type { Decider } from '../engine/approvals/decide-approval.ts';
import type { OrderRequest, TargetRequest } from './requests.ts';

/** What a deployment brings, as its caller requests it. */
interface WhatRequest {
  releaseId?: string | undefined;
  configId?: string | undefined;
  revision?: number | undefined;
}

/** A deployment to create: with a plan, or with the fields that a plan has. */
export type DeploymentRequest = OrderRequest &
  WhatRequest &
  Omit<TargetRequest, 'targetKind'> & {
    targetKind: TargetRequest['targetKind'] | undefined;
    planId: string | undefined;
    author: Decider;
    traceContext?: string | undefined; // of the request
  };

/** A deployment to plan. */
export type PlanRequest = TargetRequest & WhatRequest & { kind: 'release' | 'config' };

/** The fields that a plan has, by their wire names. */
const planned = {
  releaseId: 'release_id',
  configId: 'config_id',
  revision: 'revision',
  targetKind: 'target_kind',
  targetId: 'target_id',
  targetSelector: 'target_selector',
  rollout: 'rollout',
  rolloutPolicyId: 'rollout_policy_id',
  dynamic: 'dynamic',
  dynamicUntil: 'dynamic_until',
  ignoreWindows: 'ignore_windows',
  allowDowngrade: 'allow_downgrade',
} as const satisfies Partial<Record<keyof DeploymentRequest, string>>;

/** @throws bad_request for a field that the plan has too */
export function refuseBesidePlan(request: DeploymentRequest): void {
  const found = Object.entries(planned).find(([name]) => request[name as keyof typeof planned] !== undefined);
  if (found) throw badRequest(`body: plan_id and ${found[1]} exclude each other`);
}

/** A field that a deployment without a plan requires. @throws bad_request */
export function required<Name extends keyof typeof planned>(
  request: DeploymentRequest,
  name: Name,
): NonNullable<DeploymentRequest[Name]> {
  const value = request[name];
  if (value === undefined) throw badRequest(`body: "${planned[name]}" is required`);
  return value; // no field is null
}

/** @throws bad_request for a field of the other kind, or a missing one */
export function checkKind({ kind, releaseId, configId, revision, allowDowngrade }: PlanRequest): void {
  const [own, ownName] = kind === 'release' ? [releaseId, 'release_id'] : [configId, 'config_id'];
  const others =
    kind === 'release' ? { config_id: configId, revision } : { release_id: releaseId, allow_downgrade: allowDowngrade };
  const other = Object.entries(others).find(([, value]) => value !== undefined);
  if (other) throw badRequest(`body.${other[0]}: the plan is of a ${kind}`);
  if (own === undefined) throw badRequest(`body: "${ownName}" is required`);
}
