import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRule } from '../../src/conditions/compile.ts';
import { evaluate, explain } from '../../src/conditions/evaluate.ts';
import { maxLength, parseExpression } from '../../src/conditions/expression.ts';
import { factsOf, type Snapshot } from '../../src/conditions/facts.ts';
import { findImpossible, overlap } from '../../src/conditions/satisfiable.ts';

const known = { offline: 0, reconnects: 0, agentVersion: 'fleet-agent/0.9.2' };
const truthOf = (text: string, snapshot: Snapshot | undefined = {}, facts = known) =>
  evaluate(parseExpression(text), factsOf(snapshot, facts));

const weak: Snapshot = { battery: { percent: 3.4, charging: false }, estop: true };

test.each([
  ['battery < 15', weak, true],
  ['battery >= 15', weak, false],
  ['battery < 15 and not charging', weak, true],
  ['battery < 15 and charging', weak, false],
  ['charging or estop', weak, true],
  ['battery = 3.4', weak, true],
  ['battery != 3.4', weak, false],
  [
    'disk > 90',
    {
      disk: [
        { total_bytes: 100, free_bytes: 80 },
        { total_bytes: 100, free_bytes: 5 },
      ],
    },
    true,
  ],
  ['disk > 90', { disk: [{ total_bytes: 0, free_bytes: 0 }] }, undefined],
  ['memory >= 75', { memory: { total_bytes: 8, available_bytes: 2 } }, true],
  ['temperature > 80', { temperature: [{ celsius: 40 }, { celsius: 81 }] }, true],
  ['clock_offset > 1m', { clock_offset_ms: -61_000 }, true],
  ['link_delay > 200', { link: { rtt_ms: 12 } }, false],
  ['diagnostics >= error', { diagnostics: { level: 'error' } }, true],
  ['diagnostics >= warn', { diagnostics: { level: 'stale' } }, false],
  ['diagnostics >= warn', { diagnostics: { level: 'from-a-later-agent' } }, undefined],
  ['mission = failed', { mission: { state: 'failed' } }, true],
  ['mission != failed', { mission: { state: 'idle' } }, true],
  ['uptime < 10m', { uptime_s: 599 }, true],
  ['agent_version < 0.10', {}, true],
  ['agent_version < fleet-agent/0.9.2', {}, false],
  ['agent_version < 0.9.2-rc.1', {}, false],
  ['agent_version >= v0.9.2-rc.1', {}, true],
  ['extra.lidar.ok = false', { extra: { lidar: { ok: false } } }, true],
  ['not extra.lidar.ok', { extra: { lidar: { ok: false } } }, true],
  ['extra.pump.bar > 2.5', { extra: { pump: { bar: 3 } } }, true],
  ['extra.pump.bar > 2.5', { extra: { pump: { bar: 'three' } } }, false],
  ['extra.pump.state = "low water"', { extra: { pump: { state: 'low water' } } }, true],
  ['extra.constructor.name = x', { extra: {} }, undefined],
] as const)('%s with %j is %s', (text, snapshot, truth) => {
  expect(truthOf(text, snapshot as Snapshot)).toBe(truth);
});

test('a value that a robot does not send makes a comparison neither true nor false, and "not" of an unknown flag holds', () => {
  expect(truthOf('battery < 15')).toBeUndefined();
  expect(truthOf('estop')).toBeUndefined();
  expect(truthOf('not charging')).toBe(true);
  expect(truthOf('battery < 15 and not charging', { battery: { percent: 3 } })).toBe(true);
  expect(truthOf('battery < 15 or offline > 5m', {}, { ...known, offline: 301 })).toBe(true);
  expect(truthOf('battery < 15 or offline > 5m', {}, { ...known, offline: 299 })).toBeUndefined();
  expect(truthOf('cpu > 90 and battery < 15', { cpu: { percent: 3 } })).toBe(false);
});

test('agents of earlier releases tell by the status of the battery whether it charges', () => {
  for (const [status, truth] of [
    ['Charging', true],
    ['Full', false],
    ['Discharging', false],
    ['Odd', undefined],
  ] as const)
    expect(truthOf('charging', { battery: { status } })).toBe(truth);
});

test('a message has the values that made the expression true, without characters that a terminal or Postgres refuses', () => {
  const explainOf = (text: string, snapshot: Snapshot, facts = known) =>
    explain(parseExpression(text), factsOf(snapshot, facts));
  expect(explainOf('battery < 15 and not charging', weak)).toBe('battery 3.4 % (< 15 %), not charging');
  expect(explainOf('estop', weak)).toBe('estop');
  expect(explainOf('diagnostics >= warn', { diagnostics: { level: 'error' } })).toBe('diagnostics error (>= warn)');
  expect(explainOf('offline > 10m', {}, { ...known, offline: 7_300 })).toBe('offline 2 h (> 10 min)');
  expect(explainOf('mission != idle', { mission: { state: 'a\u0000\u001b[31m\ud800b' } })).toBe(
    'mission a[31mb (!= idle)',
  );
});

test.each([
  ['', 'needs a measure at its end'],
  ['battery', 'battery needs a comparison, for example battery > 90'],
  ['battery <', 'battery needs a value at its end'],
  ['battery < fifteen', 'battery takes a number from 0 to 100, not "fifteen"'],
  ['battery < 101', 'battery takes a number from 0 to 100, not "101"'],
  ['battery < 15 charging', 'needs "and" or "or" before "charging"'],
  ['battery < 15 and', 'needs a measure at its end'],
  ['batery < 15', 'unknown measure "batery"; known: battery, charging'],
  ['offline > 10', 'offline takes a duration such as 90s, 10m or 2h, not "10"'],
  ['diagnostics >= bad', 'diagnostics takes ok, stale, warn, error, not "bad"'],
  ['mission > 3', 'mission can only be compared with = and !=, not >'],
  ['not battery < 3', '"not" takes a yes-or-no measure'],
  ['estop = perhaps', 'estop takes no value'],
  ['"battery" < 3', 'needs a measure before "battery"'],
  ['extra.a.b.c.d.e = 1', 'unknown measure "extra.a.b.c.d.e"'],
  ['battery < "15', 'cannot be read from'],
  [Array(17).fill('estop').join(' or '), 'has more than 16 comparisons'],
  [`mission = ${'x'.repeat(maxLength)}`, `has more than ${maxLength} characters`],
])('%s is refused: %s', (text, why) => {
  expect(() => parseExpression(text)).toThrow(why);
});

test.each([
  ['battery < 10 and battery > 20', undefined, 'body.expression: "battery < 10 and battery > 20" can never be true'],
  ['charging and not charging', undefined, 'can never be true'],
  ['mission = idle and mission = failed', undefined, 'can never be true'],
  ['diagnostics > warn and diagnostics < error', undefined, 'can never be true'],
  ['battery <= 15 and battery >= 15 and battery != 15', undefined, 'can never be true'],
  ['estop or cpu > 50 and cpu < 40', undefined, '"cpu > 50 and cpu < 40" can never be true'],
  ['battery < 15', 'battery > 10', 'body.clear: "battery > 10" and "battery < 15" can be true at once'],
  ['battery < 15', 'charging', 'can be true at once'],
  ['battery < 15 and not charging', 'battery > 20 or charging', undefined],
  ['disk > 90', 'disk <= 90', undefined],
  ['agent_version < 1.4.0', 'agent_version >= 1.4.0', undefined],
  ['agent_version < 1.10', 'agent_version >= 1.9', 'can be true at once'],
])('a rule of %s that ends with %s: %s', (expression, clear, why) => {
  const check = () => checkRule({ expression, clear });
  if (why === undefined) expect(check).not.toThrow();
  else expect(check).toThrow(why);
});

const values = fc.integer({ min: 0, max: 6 });
const comparison = fc.tuple(
  fc.constantFrom('battery', 'cpu'),
  fc.constantFrom('<', '<=', '>', '>=', '=', '!='),
  values,
);
const flags = fc.constantFrom('charging', 'not charging', 'estop', 'not estop');
const term = fc.oneof(
  comparison.map((parts) => parts.join(' ')),
  flags,
);
const expressions = fc
  .array(fc.array(term, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map((terms) => terms.join(' and ')).join(' or '));

/** Values between and at all limits that an expression can name. */
const steps = Array.from({ length: 15 }, (_each, index) => index / 2 - 0.25).filter((value) => value >= 0);
const every = [...steps, 0, 1, 2, 3, 4, 5, 6];
const snapshots = every.flatMap((percent) =>
  every.flatMap((cpu) =>
    [true, false].flatMap((charging) =>
      [true, false].map((estop): Snapshot => ({ battery: { percent, charging }, cpu: { percent: cpu }, estop })),
    ),
  ),
);

test('two expressions overlap if and only if values exist that make both true', () => {
  fc.assert(
    fc.property(expressions, expressions, (one, other) => {
      const [first, second] = [parseExpression(one), parseExpression(other)];
      const both = snapshots.some((snapshot) => {
        const facts = factsOf(snapshot, known);
        return evaluate(first, facts) === true && evaluate(second, facts) === true;
      });
      expect(overlap(first, second)).toBe(both);
    }),
    { numRuns: 300 },
  );
});

test('an expression that can never be true is found', () => {
  fc.assert(
    fc.property(expressions, (text) => {
      const expression = parseExpression(text);
      const impossible = expression.some(
        (terms) => !snapshots.some((snapshot) => evaluate([terms], factsOf(snapshot, known)) === true),
      );
      expect(findImpossible(expression) !== undefined).toBe(impossible);
    }),
    { numRuns: 300 },
  );
});
