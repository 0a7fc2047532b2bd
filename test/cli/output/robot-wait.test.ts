import { expect, test } from 'vitest';
import { percentOf, robotWaitOf } from '../../../cli/output/deployment-format.ts';

test('a robot that waits for a gate or a window says which, why and for how long, in place of its progress', () => {
  const since = new Date(Date.now() - 300_000).toISOString();
  const gate = { holder: 'battery', reason: '18 %, needs 30 %', since };
  const progress = { percent: 100, text: 'waits for battery: 18 %, needs 30 %', at: since };
  expect(robotWaitOf({ waiting_on: { code: 'gate', since }, gate })).toBe(
    'a gate of the robot is closed, battery: 18 %, needs 30 %, for 5m',
  );
  const window = { holder: 'window', reason: 'opens 2026-11-27 22:00 Europe/Berlin', since };
  expect(robotWaitOf({ waiting_on: { code: 'window', since }, gate: window })).toBe(
    'its window is closed, opens 2026-11-27 22:00 Europe/Berlin, for 5m',
  );
  expect(robotWaitOf({ waiting_on: { code: 'offline', since }, gate })).toBe('the robot is offline, for 5m');
  expect(robotWaitOf({})).toBe('');
  expect(percentOf({ progress, gate })).toBe('');
  expect(percentOf({ progress })).toBe('100% waits for battery: 18 %, needs 30 %');
});
