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
  waitedFor: readonly string[]; // by the last pass
}

const activeDeployments = 'active deployments, which count it as one of their robots';

/** Removes what can be removed now of a robot that is no longer in `robots`. @throws Unavailable */
export async function eraseRobotOnce(
  db: Knex,
  { id, orgId, robotId, objects, waitedFor }: RobotPass,
): Promise<PassResult> {
  const [store, rows, logs] = [erasureStore(db), rowRemover(db, id), unmergedLogs(db)];
  const ids = { orgId, robotId };
  const waitsFor: string[] = [];
  let removed = 0;

  // What moves to another table is looked for first where it comes from.
  const isSettling = await store.isSettling(id);
  if (isSettling) waitsFor.push('replicas write what they received before');
  const hasSegments = await logs.hasSegments(orgId, robotId);
  if (hasSegments) waitsFor.push('its last log records are merged with those of other robots');
  if (await logs.hasCounts(orgId, robotId)) waitsFor.push('its last log statistics');
  if (await store.hasOpenTargets(orgId, robotId)) waitsFor.push('the end of its orders');
  else removed += await rows.remove('open_targets', 'org_id = :orgId and robot_id = :robotId', ids);
  if (await store.hasOpenSessions(orgId, robotId)) waitsFor.push('an open shell');
  for (const { table, where } of rowsOfRobot) removed += await rows.remove(table, where, ids);
  await store.clearReports(orgId, robotId);
  removed += await rows.remove('log_chunks', 'org_id = :orgId and robot_id = :robotId', ids);
  const { isDone, replaced } = await objectErasing(db, objects).eraseRobot(orgId, robotId);
  if (!isDone) waitsFor.push('log objects are removed from the bucket');
  if (replaced > 0) await rows.note('log_objects', replaced);
  removed += replaced;

  if (!isSettling && !hasSegments)
    removed += await rows.remove('log_streams', 'org_id = :orgId and robot_id = :robotId', ids);
  await store.unlink(orgId, robotId);

  const isLast = waitsFor.length === 0;
  if (await store.hasTargets(orgId, robotId)) waitsFor.push(activeDeployments);
  // A walk reads all rows of the org: nothing may follow it. The last pass had none to wait for but deployments: it has walked.
  if (isLast && !(waitsFor.length > 0 && waitedFor.length === 1 && waitedFor[0] === activeDeployments))
    for (const walk of walksOfRobot) removed += await rows.walk(walk, orgId, robotId);
  return { removed, waitsFor };
}
