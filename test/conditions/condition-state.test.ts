import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dueMs,
  missingMs,
  nextState,
  noConditions,
  type ConditionState,
} from '../../src/conditions/condition-state.ts';
import { parseExpression } from '../../src/conditions/expression.ts';
import { factsOf } from '../../src/conditions/facts.ts';
import type { CompiledRule, RobotCondition } from '../../src/conditions/model.ts';

const minute = 60_000;

const ruleOf = (id: string, expression: string, forMs = 0, clear?: string): CompiledRule => ({
  id,
  name: `rule ${id}`,
  severity: 'degraded',
  appliesTo: () => true,
  expression: parseExpression(expression),
  forMs,
  clear: clear === undefined ? undefined : parseExpression(clear),
});

const factsWith = (percent: number | undefined) =>
  factsOf(percent === undefined ? {} : { battery: { percent } }, {
    offline: 0,
    reconnects: 0,
    agentVersion: undefined,
  });

/** Runs values, each at its time, from no conditions on. Returns what began and ended, and the last state. */
function run(rules: CompiledRule[], values: readonly (readonly [atMs: number, percent: number | undefined])[]) {
  const log: string[] = [];
  let state: ConditionState = noConditions;
  for (const [atMs, percent] of values) {
    const change = nextState(state, rules, factsWith(percent), atMs);
    for (const { rule_id } of change.started) log.push(`${atMs / minute} + ${rule_id}`);
    for (const { rule_id } of change.ended) log.push(`${atMs / minute} - ${rule_id}`);
    state = change.state;
  }
  return { log, state };
}

const at = (minutes: number, percent?: number) => [minutes * minute, percent] as const;

test('a condition begins when its expression has been true for long enough, and not if it was false in between', () => {
  const rules = [ruleOf('low', 'battery < 20', 5 * minute)];
  expect(run(rules, [at(0, 10), at(4, 10), at(5, 10)]).log).toEqual(['5 + low']);
  expect(run(rules, [at(0, 10), at(4, 30), at(5, 10), at(9, 10), at(10, 10)]).log).toEqual(['10 + low']);
  expect(dueMs(run(rules, [at(1, 10)]).state, rules)).toBe(6 * minute);
});

test('a condition ends by its clear expression, so that a value between the two limits changes nothing', () => {
  const rules = [ruleOf('low', 'battery < 20', 0, 'battery >= 25')];
  expect(run(rules, [at(0, 19), at(1, 22), at(2, 19), at(3, 24.9), at(4, 25)]).log).toEqual(['0 + low', '4 - low']);
});

test('a missing value neither begins nor ends a condition, until it has been missing for 15 minutes', () => {
  const rules = [ruleOf('low', 'battery < 20', minute)];
  expect(run(rules, [at(0, 10), at(0.5), at(1)]).log).toEqual(['1 + low']);
  expect(run(rules, [at(0), at(9)]).log).toEqual([]);
  const late = missingMs / minute;
  expect(run(rules, [at(0, 10), at(1, 10), at(2), at(2 + late - 1), at(2 + late)]).log).toEqual([
    '1 + low',
    `${2 + late} - low`,
  ]);
  expect(run(rules, [at(0, 10), at(1, 10), at(2), at(3, 10), at(4), at(2 + late)]).log).toEqual(['1 + low']);
});

test('a condition whose rule is gone ends, and one whose rule has another name or severity goes on with it', () => {
  const rule = ruleOf('low', 'battery < 20');
  const { state } = run([rule], [at(0, 10)]);
  const other = nextState(state, [{ ...rule, severity: 'unhealthy', name: 'empty' }], factsWith(10), minute);
  expect(other).toMatchObject({ started: [], ended: [], isReplaced: true });
  expect(other.state.firing['low']?.condition).toMatchObject({
    name: 'empty',
    severity: 'unhealthy',
    since: new Date(0).toISOString(),
  });
  expect(nextState(state, [], factsWith(10), minute)).toMatchObject({
    ended: [{ rule_id: 'low' }],
    state: noConditions,
  });
});

test('a value that flaps each second begins and ends a condition at most a dozen times an hour', () => {
  const values = Array.from(
    { length: 3_600 },
    (_each, second) => [second * 1_000, second % 2 === 0 ? 10 : 30] as const,
  );
  const { log } = run([ruleOf('low', 'battery < 20')], values);
  expect(log.length).toBeGreaterThan(4);
  expect(log.length).toBeLessThanOrEqual(14);
  // An hour after it ended, it is as quick as the first time.
  const later = [...values, at(100, 30), at(200, 10), at(200.1, 30)];
  expect(run([ruleOf('low', 'battery < 20')], later).log.slice(-3)).toEqual(['100 - low', '200 + low', '200.1 - low']);
});

test('instants that a clock ahead stored count as now, so that conditions begin and end as if they were of now', () => {
  const quick = [ruleOf('low', 'battery < 20')];
  const { state } = run(quick, [at(60, 10)]);
  const since = new Date(0).toISOString();
  const kept = nextState(state, quick, factsWith(10), 0);
  expect(kept).toMatchObject({ ended: [], isReplaced: true, state: { firing: { low: { condition: { since } } } } });
  expect(nextState(state, quick, factsWith(30), 0)).toMatchObject({ ended: [{ rule_id: 'low', since }] });
  const slow = [ruleOf('low', 'battery < 20', 5 * minute)];
  expect(run(slow, [at(60, 10), at(0, 10), at(5, 10)]).log).toEqual(['5 + low']);
  expect(run(quick, [at(60, 10), at(61), at(1), at(16)]).log).toEqual(['60 + low', '16 - low']);
  // A condition that ended before an hour ago is not held.
  const later = [at(60, 10), at(61, 30), at(0, 30), at(61, 10), at(61.1, 30)];
  expect(run(quick, later).log.slice(-2)).toEqual(['61 + low', '61.1 - low']);
});

/* A model that knows only the list of all values so far, and finds the conditions from it anew. */
const steps = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 8 * minute }), fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined })),
  { minLength: 1, maxLength: 60 },
);

test('for any values: nothing begins early or without cause, nothing ends without cause, and a stored state goes on as if it had stayed', () => {
  const rules = [
    ruleOf('quick', 'battery < 10'),
    ruleOf('slow', 'battery < 20', 5 * minute, 'battery >= 30'),
    ruleOf('never', 'cpu > 90'),
  ];
  fc.assert(
    fc.property(steps, (given) => {
      let nowMs = 1_000_000_000_000;
      let state: ConditionState = noConditions;
      const values: { atMs: number; percent: number | undefined }[] = [];
      const firing = new Map<string, RobotCondition>();
      for (const [afterMs, percent] of given) {
        nowMs += afterMs;
        values.push({ atMs: nowMs, percent });
        // As written to the database and read again, at any moment.
        const stored = JSON.parse(JSON.stringify(state)) as ConditionState;
        const change = nextState(stored, rules, factsWith(percent), nowMs);
        expect(change).toEqual(nextState(state, rules, factsWith(percent), nowMs));
        state = change.state;
        for (const condition of change.ended) {
          expect(firing.delete(condition.rule_id)).toBe(true);
          const clearsAt = condition.rule_id === 'quick' ? 10 : 30;
          const known = values.filter((value) => value.percent !== undefined);
          const lastKnown = known.at(-1);
          const isMissing = nowMs - (lastKnown?.atMs ?? 0) >= missingMs;
          expect((percent !== undefined && percent >= clearsAt) || isMissing).toBe(true);
        }
        for (const condition of change.started) {
          expect(firing.has(condition.rule_id)).toBe(false);
          expect(condition.rule_id).not.toBe('never');
          const [limit, forMs] = condition.rule_id === 'quick' ? [10, 0] : [20, 5 * minute];
          // Every known value since `for` ago, and the one that was valid then, is below the limit.
          const before = values
            .filter(({ atMs }) => atMs <= nowMs - forMs)
            .findLast((value) => value.percent !== undefined);
          const since = values.filter((value) => value.atMs > nowMs - forMs && value.percent !== undefined);
          for (const value of [...(before ? [before] : []), ...since]) expect(value.percent).toBeLessThan(limit);
          expect(before ?? (forMs === 0 ? {} : undefined)).toBeDefined();
          firing.set(condition.rule_id, condition);
        }
        expect(Object.keys(state.firing).sort()).toEqual([...firing.keys()].sort());
      }
    }),
    { numRuns: 500 },
  );
});
