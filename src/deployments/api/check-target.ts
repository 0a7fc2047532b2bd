import type { Knex } from 'knex';
import { fleetService } from '../../fleets/service.ts';
import { conflict } from '../../kernel/errors.ts';
import { robotService } from '../../robots/service.ts';
import type { RequestedTarget } from './requests.ts';

/**
 * Refuses a target that does not exist. `lock` of the fleet, held until the transaction ends: `keep`, it is not deleted;
 * `change`, no robot joins it either.
 * @throws not_found, conflict for a retired robot
 */
export async function checkTarget(
  db: Knex,
  orgId: string,
  { targetKind, targetId }: Pick<RequestedTarget, 'targetKind' | 'targetId'>,
  lock?: 'keep' | 'change',
): Promise<void> {
  if (targetKind === 'fleet') await fleetService(db).get(orgId, targetId, lock && { lock });
  if (targetKind !== 'robot') return;
  const robot = await robotService(db).get(orgId, targetId);
  if (robot.replacedBy !== undefined)
    throw conflict(`robot "${robot.name}" is retired; deploy to robot ${robot.replacedBy}, which replaced it`);
}
