import { expect, test } from 'vitest';
import { liftedParts } from '../../../../cli/agent/health/lifted-parts.ts';
import { troublesOf } from '../../../../cli/agent/troubles.ts';

function lifting() {
  const told: string[] = [];
  const troubles = troublesOf((_level, message) => told.push(message));
  const lift = (...values: Record<string, unknown>[]) =>
    liftedParts(
      values.map((value, index) => ({ path: `/health.d/p${index}.sh`, name: `p${index}`, value })),
      troubles,
    );
  return { told, lift };
}

test('known fields of a program become parts of the snapshot, all others do not', () => {
  const { lift, told } = lifting();
  const known = {
    battery: { percent: 40, charging: false },
    estop: false,
    mission: { state: 'returning' },
    diagnostics: { level: 'ok' },
    temperature: [{ zone: 'motor', celsius: 61 }],
  };
  expect(lift({ ...known, cpu: { percent: 1 }, forks: 2 })).toEqual(known);
  expect(lift({ forks: 2 })).toEqual({});
  expect(told).toEqual([]);
});

test('an invalid field is reported once with the reason and costs that field; its end is reported too', () => {
  const { lift, told } = lifting();
  const bad = { estop: 'yes', battery: { percent: 40 } };
  expect([lift(bad), lift(bad)]).toEqual([{ battery: { percent: 40 } }, { battery: { percent: 40 } }]);
  expect(told).toEqual(['estop of /health.d/p0.sh is only in extra.p0 of the health: estop must be boolean']);
  expect(lift({ estop: true })).toEqual({ estop: true });
  expect(told[1]).toBe('estop of /health.d/p0.sh is valid again');
  lift({ mission: null });
  expect(told[2]).toContain('mission must be object');
});

test('of several programs the last one wins, except that any emergency stop counts and zones are united', () => {
  const { lift } = lifting();
  const zone = (name: string, celsius: number) => ({ zone: name, celsius });
  expect(
    lift(
      { estop: true, mission: { state: 'active' }, temperature: [zone('a', 1), zone('b', 2)] },
      { estop: false, mission: { state: 'idle' }, temperature: [zone('b', 3)] },
    ),
  ).toEqual({ estop: true, mission: { state: 'idle' }, temperature: [zone('b', 3), zone('a', 1)] });
  const many = Array.from({ length: 64 }, (_, index) => zone(`z${index}`, index));
  expect(lift({ temperature: many }, { temperature: [zone('own', 1)] }).temperature).toHaveLength(64);
});
