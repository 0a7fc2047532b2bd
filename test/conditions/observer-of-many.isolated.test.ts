import { expect, test } from 'vitest';
import { conditionObserver } from '../../src/conditions/observer.ts';
import { reviewStore } from '../../src/conditions/review-store.ts';
import { ruleCache } from '../../src/conditions/rule-cache.ts';
import { statusStore } from '../../src/conditions/status-store.ts';
import { addRobotRows, idOfRow, upTo } from '../support/robot-rows.ts';
import { startIsolatedWorld } from '../support/world.ts';

test('of 4,100 robots those are read again whose status a review wrote, first and last of each 2,000', async () => {
  await using world = await startIsolatedWorld();
  const { db, orgId } = world;
  await addRobotRows(world, upTo(4_100));
  const observer = conditionObserver({
    statuses: statusStore(db),
    rules: ruleCache(db, { up: true }),
    requestReviews: reviewStore(db).requestEach,
    databaseMs: Date.now,
    compareEveryMs: 0,
  });
  const watches = upTo(4_100).map((number) => observer.watch({ orgId, robotId: idOfRow(number) }));
  const beatAll = async () => {
    for (const watch of watches) observer.beat(watch, { estop: false });
    await observer.run();
  };
  await beatAll();
  const reviewed = [1, 2_000, 2_001, 4_000, 4_001, 4_100].map(idOfRow);
  await db('robot_status').whereIn('robot_id', reviewed).increment('version').update({ is_known: false });
  await beatAll(); // notices it
  await beatAll();
  expect(await db('robot_status').where({ is_known: false }).pluck('robot_id')).toEqual([]);
});
