import type { HealthMission } from '../../../generated/frames.js';
import type { Profile } from './profile.ts';
import { between, oneOf, type Random } from './random.ts';

const names = ['Line 7 to dock 3', 'Dock 1 to line 2', 'Shelf 12 to packing', 'Clean aisle 4', 'Pallet 88 to storage'];
const idle: HealthMission = { state: 'idle' };

interface Missions {
  /**
   * The mission after this time. Each mission is `active`, ends as `failed` in some cases, and is followed by an `idle`
   * time. A charging robot begins none and a stopped robot pauses.
   */
  pass(minutes: number, now: { isCharging: boolean; isStopped: boolean }): HealthMission;
}

/** Made-up missions of one robot. */
export function missionsOf(
  random: Random,
  { mission_minutes: average, mission_fail_percent: fails }: Profile,
): Missions {
  let [state, lasts, passed] = ['idle', average * between(random, 0, 0.5), 0];
  let mission = { id: '', name: '' };

  function next(): void {
    passed = 0;
    if (state === 'active' && random() * 100 < fails) [state, lasts] = ['failed', between(random, 1, 3)];
    else if (state === 'idle') {
      [state, lasts] = ['active', average * between(random, 0.5, 1.5)];
      mission = { id: `m-${Math.floor(between(random, 1_000, 10_000))}`, name: oneOf(random, names) };
    } else [state, lasts] = ['idle', average * between(random, 0.05, 0.2)];
  }

  return {
    pass(minutes, { isCharging, isStopped }) {
      if (average === 0) return isCharging ? { state: 'charging' } : idle;
      if (isStopped)
        return state === 'active'
          ? { state: 'paused', ...mission, progress_percent: progress(), message: 'emergency stop' }
          : { state: 'paused', message: 'emergency stop' };
      if (isCharging && state !== 'active') return { state: 'charging' };
      passed += minutes;
      if (passed >= lasts) next();
      if (state === 'active') return { state, ...mission, progress_percent: progress() };
      return state === 'failed' ? { state, ...mission, message: 'path is blocked' } : idle;
    },
  };

  function progress(): number {
    return Math.min(99, Math.round((passed / lasts) * 100));
  }
}
