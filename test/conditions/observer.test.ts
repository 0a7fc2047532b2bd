import { expect, test } from 'vitest';
import { conditionObserver } from '../../src/conditions/observer.ts';
import { ruleCache } from '../../src/conditions/rule-cache.ts';
import { statusStore } from '../../src/conditions/status-store.ts';
import { robotsOf } from '../support/robots.ts';
import { startWorld } from '../support/world.ts';

const intervals = { compareEveryMs: Infinity, compareAfterRulesMs: Infinity };

test.for([
  ['at the next comparison', { ...intervals, compareEveryMs: 0 }],
  ['soon after a change of rules', { ...intervals, compareAfterRulesMs: 0 }],
] as const)(
  'a status that a review wrote of an older snapshot is corrected %s, although later snapshots change nothing',
  async ([, settings]) => {
    await using world = await startWorld();
    const { robot_id: robotId } = await robotsOf(world).enroll();
    const rules = ruleCache(world.db, { up: true });
    const observer = conditionObserver({ statuses: statusStore(world.db), rules, ...settings });
    const conditions = async () =>
      (await world.db('robot_status').where({ robot_id: robotId }).first('conditions')).conditions;
    const watch = observer.watch({ orgId: world.orgId, robotId });
    const beat = async () => {
      observer.beat(watch, { estop: false });
      await observer.run();
    };
    await beat();
    const rule = await world.db('condition_rules').where({ org_id: world.orgId, name: 'emergency-stop' }).first();
    const { id, name, severity } = rule;
    const condition = { rule_id: id, name, severity, since: '2026-01-01T00:00:00.000Z', message: 'estop' };
    await world
      .db('robot_status')
      .where({ robot_id: robotId })
      .increment('version')
      .update({
        severity: 2,
        firing: [id],
        conditions: JSON.stringify([condition]),
      });
    expect(await conditions()).toHaveLength(1);
    observer.rulesChanged();
    await beat(); // notices it
    await beat();
    expect(await conditions()).toEqual([]);
  },
);
