import type { Knex } from 'knex';
import { namedBindings } from '../../platform/db/named-bindings.ts';
import type { TargetRobots } from '../engine/rollouts/read-waves.ts';
import { targetSql, type Target } from '../engine/target-sql.ts';
import type { RequestedTarget } from './requests.ts';
import { selectorStore } from './selector-store.ts';

/** The robots of a target, as a deployment that starts now would find them. */
export async function robotsOf(
  db: Knex,
  orgId: string,
  { targetKind: kind, targetId: id }: Pick<RequestedTarget, 'targetKind' | 'targetId'>,
): Promise<TargetRobots> {
  return robotsIn(
    orgId,
    kind === 'selector' ? { kind, text: (await selectorStore(db).findText(orgId, id)) ?? '' } : { kind, id },
  );
}

export function robotsIn(orgId: string, target: Target): TargetRobots {
  const bindings = namedBindings({ orgId });
  return { orgId, isTarget: targetSql(orgId, target, bindings), bindings };
}
