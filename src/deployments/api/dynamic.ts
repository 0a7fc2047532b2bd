import type { Knex } from 'knex';
import { badRequest } from '../../kernel/errors.ts';
import { readInstant } from '../../kernel/instants.ts';
import { deploymentStore, type NewDeployment } from './store.ts';

const maxDays = 366;

interface DynamicRequest {
  targetKind: NewDeployment['targetKind'];
  dynamic?: boolean | undefined;
  dynamicUntil?: string | undefined; // with `dynamic`
}

/**
 * Until when robots that match the selector later receive the deployment, by the database's clock; undefined if none does.
 * @throws bad_request
 */
export async function readDynamic(
  db: Knex,
  { targetKind, dynamic = false, dynamicUntil }: DynamicRequest,
): Promise<Date | undefined> {
  if (!dynamic && dynamicUntil !== undefined) throw badRequest('body.dynamic_until: needs dynamic true');
  if (!dynamic) return undefined;
  if (targetKind !== 'selector') throw badRequest('body.dynamic: needs the target_kind selector');
  if (dynamicUntil === undefined) throw badRequest('body: "dynamic_until" is required with dynamic true');
  const until = readInstant(dynamicUntil);
  if (!until)
    throw badRequest('body.dynamic_until: must be an instant like 2026-12-31T00:00:00Z or 2026-12-31T00:00:00+09:00');
  const { passedSeconds } = await deploymentStore(db).distanceOf(until, 1);
  if (passedSeconds >= 0) throw badRequest('body.dynamic_until: must be in the future');
  if (-passedSeconds > maxDays * 86_400) throw badRequest(`body.dynamic_until: more than ${maxDays} days ahead`);
  return until;
}
