import { expect, test } from 'vitest';
import { conditionNames } from '../../../../cli/ui/screens/robot-rows.ts';

test('the condition that makes a robot unhealthy stands before those that degrade it', () => {
  const since = '2026-11-26T09:00:00.000Z';
  const named = (name: string, severity: 'degraded' | 'unhealthy') => ({ rule_id: name, name, severity, since, message: '' }); // prettier-ignore
  const conditions = [named('battery-low', 'degraded'), named('estop', 'unhealthy'), named('disk-full', 'degraded')];
  expect(conditionNames({ conditions })).toEqual(['estop', 'battery-low', 'disk-full']);
});
