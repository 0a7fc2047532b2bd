import type { Knex } from 'knex';
import { unmergedLogs, objectErasing } from '../logs/service.ts';
import type { ObjectStore } from '../platform/s3/object-store.ts';
import { rowsOfRobot, walksOfRobot } from './model.ts';
import { rowRemover } from './row-remover.ts';
import { erasureStore } from './store.ts';

export interface PassResult {
  removed: number; // rows and objects
  waitsFor: string[];
}

interface RobotPass {
  id: string; // of the erasure
  orgId: string;
  robotId: string;
  objects: ObjectStore | undefined;
}

/** Removes what can be removed now of a robot that is no longer in `robots`. @throws Unavailable */
export async function eraseRobotOnce(db: Knex, { id, orgId, robotId, objects }: RobotPass): Promise<PassResult> {
  const [store, rows, logs] = [erasureStore(db), rowRemover(db, id), unmergedLogs(db)];
  const ids = { orgId, robotId };
  const waitsFor: string[] = [];
  let removed = 0;

  const isSettling = await store.isSettling(id);
  if (isSettling) waitsFor.push('replicas write what they received before');
  if (await store.hasOpenTargets(orgId, robotId)) waitsFor.push('the end of its orders');
  else {
    for (const walk of walksOfRobot) removed += await rows.walk(walk, orgId, robotId);
    removed += await rows.remove('open_targets', 'org_id = :orgId and robot_id = :robotId', ids);
  }
  if (await store.hasOpenSessions(orgId, robotId)) waitsFor.push('an open shell');
  for (const { table, where } of rowsOfRobot) removed += await rows.remove(table, where, ids);
  await store.clearReports(orgId, robotId);
  if (await store.hasTargets(orgId, robotId))
    waitsFor.push('active deployments, which count it as one of their robots');

  const hasSegments = await logs.hasSegments(orgId, robotId);
  if (hasSegments) waitsFor.push('its last log records are merged with those of other robots');
  if (await logs.hasCounts(orgId, robotId)) waitsFor.push('its last log statistics');
  removed += await rows.remove('log_chunks', 'org_id = :orgId and robot_id = :robotId', ids);
  const { isDone, replaced } = await objectErasing(db, objects).eraseRobot(orgId, robotId);
  if (!isDone) waitsFor.push('log objects are removed from the bucket');
  if (replaced > 0) await rows.note('log_objects', replaced);
  removed += replaced;

  if (!isSettling && !hasSegments) removed += await rows.remove('log_streams', 'org_id = :orgId and robot_id = :robotId', ids);
  await store.unlink(orgId, robotId);
  return { removed, waitsFor };
}
