import type { Knex } from 'knex';
import { badRequest, notFound } from '../../kernel/errors.ts';
import { readInstant } from '../../kernel/instants.ts';
import { parseSelector, selectorText } from '../../kernel/label-selector.ts';
import { checkNames } from '../../robots/service.ts';
import {
  checkWaves,
  ignoringWindows,
  readRollout,
  rolloutPolicyService,
  windowFor,
  type Rollout,
  type RolloutCreate,
} from '../../rollout-policies/service.ts';
import type { OrderTerms } from '../engine/order-port.ts';
import { readDynamic } from './dynamic.ts';
import { selectorStore } from './selector-store.ts';
import { deploymentStore, type NewDeployment } from './store.ts';

/** For which robots a deployment is, and in which waves, as its caller requests it. */
export interface TargetRequest {
  targetKind: NewDeployment['targetKind'];
  targetId?: string | undefined;
  targetSelector?: string | undefined; // in place of `targetId`
  rollout?: RolloutCreate | undefined;
  rolloutPolicyId?: string | undefined; // not with `rollout`
  dynamic?: boolean | undefined;
  dynamicUntil?: string | undefined; // with `dynamic`
  allowDowngrade?: boolean | undefined;
  ignoreWindows?: boolean | undefined;
}

/** The robots of a deployment, and its waves. */
export type RequestedTarget = Pick<
  NewDeployment,
  'targetKind' | 'targetId' | 'policy' | 'dynamicUntil' | 'ignoresWindows' | 'allowsDowngrade'
> & {
  rollout: Rollout | undefined; // without windows, if it ignores them
};

/** When a deployment is sent, and how. Instants are texts, and omitted fields get defaults. */
export interface OrderRequest {
  scheduledAt?: string | undefined;
  activeMinutes?: number | undefined;
  signature?: string | undefined;
  keyId?: string | undefined;
  urgent?: boolean | undefined;
  ignoreGates?: boolean | undefined;
  allowUngated?: boolean | undefined;
}

/** Default time that a robot may stay in one status while it works on an order. */
const defaultActiveMinutes = 30;
const maxScheduleYears = 5;
/** A start time that passed less than this before means now: clocks differ, and a request takes time. */
const maxPassedSeconds = 60;

/** What is no part of an order request. */
type RequestedElsewhere =
  keyof RequestedTarget | 'planId' | 'author' | 'traceContext' | 'approvalHash' | 'orderTerms' | 'requiredCapabilities';

/**
 * Checks when a deployment is sent, by the database's clock, and how.
 * @throws bad_request
 */
export async function readOrder(
  db: Knex,
  { scheduledAt, activeMinutes = defaultActiveMinutes, signature, keyId, urgent = false }: OrderRequest,
): Promise<Omit<NewDeployment, RequestedElsewhere>> {
  if ((signature === undefined) !== (keyId === undefined))
    throw badRequest('body: signature and key_id must be sent together');
  const order = { activeMinutes, signature, keyId, isUrgent: urgent };
  if (scheduledAt === undefined) return { ...order, scheduledAt };
  const instant = readInstant(scheduledAt);
  if (!instant)
    throw badRequest('body.scheduled_at: must be an instant like 2026-11-22T02:00:00Z or 2026-11-22T02:00:00+09:00');
  const { passedSeconds, isTooFar } = await deploymentStore(db).distanceOf(instant, maxScheduleYears);
  if (isTooFar) throw badRequest(`body.scheduled_at: more than ${maxScheduleYears} years ahead`);
  if (passedSeconds > maxPassedSeconds)
    throw badRequest(
      `body.scheduled_at: ${spanText(passedSeconds)} in the past; send a time in the future, or omit it to start now`,
    );
  return { ...order, scheduledAt: instant };
}

/** What orders of the deployment carry; undefined if nothing. */
export function orderTermsOf({ ignoreGates }: OrderRequest, rollout: Rollout | undefined): OrderTerms | undefined {
  const window = rollout?.windows && windowFor('activate', rollout.windows);
  return ignoreGates || window ? { ...(ignoreGates && { ignore_gates: true }), ...(window && { window }) } : undefined;
}

/** Capabilities that an agent must have to receive the orders. */
export function requiredCapabilities({ allowUngated }: OrderRequest, rollout: Rollout | undefined): string[] {
  if (allowUngated) return [];
  return [rollout?.gates?.required ? 'gates' : [], rollout?.windows?.activate ? 'windows' : []].flat();
}

/**
 * Checks for which robots a deployment is, and stores its selector. Runs in a transaction.
 * @throws bad_request, not_found for the policy or a stored selector
 */
export async function readTarget(db: Knex, orgId: string, request: TargetRequest): Promise<RequestedTarget> {
  const targetId = await readTargetOf(db, orgId, request);
  const { rollout, policy } = await readRolloutOf(db, orgId, request);
  const { ignoreWindows: ignoresWindows = false } = request;
  return {
    targetKind: request.targetKind,
    targetId,
    policy,
    ignoresWindows,
    rollout: rollout && ignoresWindows ? ignoringWindows(rollout) : rollout,
    dynamicUntil: await readDynamic(db, request),
    allowsDowngrade: request.allowDowngrade ?? false,
  };
}

/** The ID of the target. @throws bad_request, not_found for a stored selector */
async function readTargetOf(
  db: Knex,
  orgId: string,
  { targetKind, targetId, targetSelector: text }: TargetRequest,
): Promise<string> {
  const isSelector = targetKind === 'selector';
  if (!isSelector && text !== undefined) throw badRequest('body.target_selector: needs the target_kind selector');
  if (targetId === undefined && text === undefined)
    throw badRequest(`body: "${isSelector ? 'target_selector' : 'target_id'}" is required`);
  if (targetId !== undefined && text !== undefined)
    throw badRequest('body: target_id and target_selector exclude each other');
  if (text === undefined) {
    if (isSelector) await checkStored(db, orgId, targetId ?? '');
    return targetId ?? '';
  }
  const selector = parseSelector('body.target_selector', text);
  await checkNames(db, orgId, 'body.target_selector', selector);
  return selectorStore(db).keep(orgId, selectorText(selector));
}

/** What a stored selector names may have got another name since. @throws not_found, bad_request */
async function checkStored(db: Knex, orgId: string, id: string): Promise<void> {
  const text = await selectorStore(db).findText(orgId, id);
  if (text === undefined) throw notFound('selector');
  await checkNames(db, orgId, 'body.target_id', parseSelector('body.target_id', text));
}

/** @throws bad_request, not_found for the policy */
async function readRolloutOf(
  db: Knex,
  orgId: string,
  { targetKind, rollout, rolloutPolicyId: policyId }: TargetRequest,
): Promise<Pick<RequestedTarget, 'rollout' | 'policy'>> {
  if (rollout === undefined && policyId === undefined) return { rollout: undefined, policy: undefined };
  if (rollout !== undefined && policyId !== undefined)
    throw badRequest('body: rollout and rollout_policy_id exclude each other');
  if (targetKind === 'robot')
    throw badRequest('body.target_kind: a rollout needs a fleet or a selector; one robot is one wave');
  if (rollout !== undefined) {
    const read = readRollout('body.rollout', rollout);
    await checkWaves(db, orgId, 'body.rollout', read);
    return { rollout: read, policy: undefined };
  }
  const policy = await rolloutPolicyService(db).get(orgId, policyId ?? '');
  // A site or fleet may have got another name since.
  await checkWaves(db, orgId, 'body.rollout_policy_id: rollout', policy.rollout);
  return { rollout: policy.rollout, policy: { id: policy.id, name: policy.name } };
}

/** As in `328 days`, in the largest unit. */
function spanText(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  const [unit, size] = units.find(([, each]) => seconds >= each) ?? ['second', 1];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
