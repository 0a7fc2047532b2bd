import { expect, test } from 'vitest';
import { conditionObserver } from '../../src/conditions/observer.ts';
import { reviewStore } from '../../src/conditions/review-store.ts';
import { ruleCache } from '../../src/conditions/rule-cache.ts';
import { statusStore } from '../../src/conditions/status-store.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld, type World } from '../support/world.ts';

const intervals = { compareEveryMs: Infinity, compareAfterRulesMs: Infinity, nowMs: () => performance.now() };

/** A robot without conditions, and what evaluates its snapshots. */
async function observed(world: World, settings: typeof intervals) {
  const { robot_id: robotId } = await robotsOf(world).enroll();
  const rules = ruleCache(world.db, { up: true });
  const observer = conditionObserver({
    statuses: statusStore(world.db),
    rules,
    requestReviews: reviewStore(world.db).requestEach,
    databaseMs: Date.now,
    ...settings,
  });
  const watch = observer.watch({ orgId: world.orgId, robotId });
  const status = () => world.db('robot_status').where({ robot_id: robotId });
  return {
    observer,
    watch,
    status,
    conditions: async () => (await status().first('conditions')).conditions,
    async beat() {
      observer.beat(watch, { estop: false });
      await observer.run();
    },
    /** A review writes the status that an older snapshot gives. */
    async review() {
      const rule = await world.db('condition_rules').where({ org_id: world.orgId, name: 'emergency-stop' }).first();
      const { id, name, severity } = rule;
      const condition = { rule_id: id, name, severity, since: '2026-01-01T00:00:00.000Z', message: 'estop' };
      await status()
        .increment('version')
        .update({ severity: 2, firing: [id], conditions: JSON.stringify([condition]) });
    },
  };
}

test.for([
  ['at the next comparison', { ...intervals, compareEveryMs: 0 }],
  ['soon after a change of rules', { ...intervals, compareAfterRulesMs: 0 }],
] as const)(
  'a status that a review wrote of an older snapshot is corrected %s, although later snapshots change nothing',
  async ([, settings]) => {
    await using world = await startWorld();
    const { observer, beat, review, conditions } = await observed(world, settings);
    await beat();
    await review();
    expect(await conditions()).toHaveLength(1);
    observer.rulesChanged();
    await beat(); // notices it
    await beat();
    expect(await conditions()).toEqual([]);
  },
);

test('the comparison after a change of rules does not stand for that of a later change', async () => {
  await using world = await startWorld();
  let atMs = 0;
  const settings = { ...intervals, compareAfterRulesMs: 3_000, nowMs: () => atMs };
  const { observer, beat, review, conditions } = await observed(world, settings);
  await beat();
  observer.rulesChanged();
  atMs = 2_000;
  observer.rulesChanged();
  atMs = 3_000;
  await beat(); // compares after the first change
  await review(); // of the second one
  atMs = 5_000;
  await beat(); // notices it
  await beat();
  expect(await conditions()).toEqual([]);
});

test.for([
  ['before the robot was read', false],
  ['while a review wrote its status', true],
] as const)('a snapshot that arrives just before the link ends, %s, still counts', async ([, isRead]) => {
  await using world = await startWorld();
  const { observer, watch, beat, status, conditions } = await observed(world, intervals);
  if (isRead) await beat();
  observer.beat(watch, { estop: true });
  await status().increment('version');
  const { orgId, robotId } = watch;
  const stored = { org_id: orgId, robot_id: robotId, received_at: new Date(), snapshot: '{"estop":true}' };
  await world.db('robot_health').insert(stored); // as its link does when it ends
  observer.end(watch);
  await observer.run();
  await expect.poll(conditions).toHaveLength(1);
});
