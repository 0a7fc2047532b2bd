import { afterEach, expect, test, vi } from 'vitest';
import { profiles, type Profile } from '../../../../cli/agent/simulate/profile.ts';
import { seeded } from '../../../../cli/agent/simulate/random.ts';
import { vitalsOf } from '../../../../cli/agent/simulate/vitals.ts';
import { robots } from '../../../../cli/commands/demo/content.ts';
import { agentFrames, type HealthSnapshot } from '../../../../generated/frames.js';

afterEach(() => void vi.useRealTimers());

/** The snapshots of one robot, one in 10 s. */
function hoursOf(profile: Profile, seed = '1/0', hours = 24): HealthSnapshot[] {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T09:00:00Z'), toFake: ['Date'] });
  const vitals = vitalsOf(seeded(seed), seeded(`${seed}/condition`), profile, Date.now());
  return Array.from({ length: hours * 360 }, () => {
    vi.setSystemTime(Date.now() + 10_000);
    return vitals.measure();
  });
}

const demoHours = (problem: string) =>
  robots.flatMap((robot, index) =>
    robot.problem === problem && robot.profile ? hoursOf(robot.profile, `demo/${index}`) : [],
  );

test('each problem of the demo that health shows is there at all times of a day', () => {
  const always: Record<string, (snapshot: HealthSnapshot) => boolean | undefined> = {
    'battery-low': ({ battery }) => (battery?.percent ?? 100) < 15 && battery?.charging === false,
    'disk-full': ({ disk }) => disk?.every(({ total_bytes: all = 1, free_bytes: free = 1 }) => free / all < 0.05),
    overloaded: ({ cpu }) => (cpu?.percent ?? 0) > 95,
    estop: ({ estop, mission }) => estop === true && mission?.state === 'paused',
    'diagnostics-error': ({ diagnostics }) => diagnostics?.level === 'error' && diagnostics.items?.length === 1,
  };
  for (const [problem, holds] of Object.entries(always)) {
    const snapshots = demoHours(problem);
    expect(snapshots.length, problem).toBeGreaterThan(8_000);
    expect(snapshots.filter((snapshot) => !holds(snapshot)).slice(0, 1), problem).toEqual([]);
  }
});

test('a seed gives the same values again, and missions move through their states', () => {
  const profile = { ...profiles.busy, mission_fail_percent: 50 };
  const first = hoursOf(profile);
  expect(hoursOf(profile)).toEqual(first);
  expect(new Set(first.map(({ mission }) => mission?.state))).toEqual(
    new Set(['idle', 'active', 'failed', 'charging']),
  );
  for (const health of first.slice(0, 100)) expect(agentFrames.heartbeat({ type: 'heartbeat', health })).toBe(true);
});

test('shares of a profile are about those of its robots', () => {
  const profile = { ...profiles.idle, estop_percent: 10, diagnostics_error_percent: 20, diagnostics_warn_percent: 30 };
  const fleet = Array.from({ length: 1_000 }, (_, index) => hoursOf(profile, `7/${index}`, 1 / 360)[0]);
  const share = (holds: (snapshot: HealthSnapshot) => boolean) =>
    fleet.filter((snapshot) => snapshot && holds(snapshot)).length / fleet.length;
  expect(share(({ estop }) => estop === true)).toBeCloseTo(0.1, 1);
  expect(share(({ diagnostics }) => diagnostics?.level === 'error')).toBeCloseTo(0.2, 1);
  expect(share(({ diagnostics }) => diagnostics?.level === 'warn')).toBeCloseTo(0.3, 1);
});
