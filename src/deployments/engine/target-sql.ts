import type { Knex } from 'knex';
import { parseSelector } from '../../kernel/label-selector.ts';
import { plainArray } from '../../platform/db/arrays.ts';
import type { NamedBindings } from '../../platform/db/named-bindings.ts';
import { findMissingName, selectorSql } from '../../robots/service.ts';
import type { Rollout } from '../../rollout-policies/service.ts';

/**
 * For whom a deployment is. `id`: of the robot or fleet. `text`: of the selector. `rollback`: the robots that return by
 * this deployment (`rollbacks/roll-back.ts`), whatever its target. `retry`: those on which another failed. `robots`: these. `plan`: those of a plan that still belong to its
 * fleet, if it has one.
 */
export type Target =
  | { kind: 'robot' | 'fleet'; id: string }
  | { kind: 'selector'; text: string }
  | { kind: 'rollback' | 'retry' }
  | { kind: 'robots'; ids: readonly string[] }
  | { kind: 'plan'; id: string; fleetId: string | undefined };

/** Whether the robot `r` belongs to the target. Needs the bindings `orgId`, and for a rollback or retry `deploymentId`. */
export function targetSql(orgId: string, target: Target, { bind }: NamedBindings): string {
  switch (target.kind) {
    case 'robot':
      return `r.id = ${bind(target.id)}`;
    case 'fleet':
      return `r.fleet_id = ${bind(target.id)}`;
    case 'selector':
      return selectedSql(orgId, target.text, bind);
    case 'robots':
      return `r.id = any(${bind(plainArray(target.ids))}::uuid[])`;
    case 'rollback':
      return 'r.id in (select b.robot_id from rollback_robots b where b.org_id = :orgId and b.rollback_id = :deploymentId)';
    case 'retry':
      return 'r.id in (select q.robot_id from retry_robots q where q.org_id = :orgId and q.retry_id = :deploymentId)';
    case 'plan': {
      const planned = `r.id in (select p.robot_id from plan_robots p where p.org_id = :orgId and p.plan_id = ${bind(target.id)})`;
      return target.fleetId === undefined ? planned : `r.fleet_id = ${bind(target.fleetId)} and ${planned}`;
    }
  }
}

/** Whether the robot `r` matches a selector that was checked when it was stored. */
export const selectedSql = (orgId: string, text: string, bind: NamedBindings['bind']): string =>
  selectorSql(parseSelector('selector', text), { row: 'r', orgId }, bind);

/**
 * What the selectors of a deployment name that no longer exists. The robots and waves of all others are fixed
 * already.
 */
export async function findMissing(
  db: Knex,
  orgId: string,
  target: Target,
  rollout: Rollout | undefined,
): Promise<string | undefined> {
  if (target.kind !== 'robot' && target.kind !== 'fleet' && target.kind !== 'selector') return undefined;
  const texts = [
    ...(target.kind === 'selector' ? [target.text] : []),
    ...(rollout?.waves ?? []).flatMap(({ selector }) => (selector === undefined ? [] : [selector])),
  ];
  for (const text of texts) {
    const missing = await findMissingName(db, orgId, parseSelector('selector', text));
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** The fleet whose robots a target has: a robot that joins it waits for the lock of its row. */
export function fleetOf(target: Target): string | undefined {
  if (target.kind === 'fleet') return target.id;
  return target.kind === 'plan' ? target.fleetId : undefined;
}
