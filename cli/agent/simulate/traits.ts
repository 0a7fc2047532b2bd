import type { GateSettings } from '../gates/gates.ts';
import type { Profile } from './profile.ts';
import { seeded } from './random.ts';

/** What sets one simulated robot apart from the others of its profile, for good. */
export interface Traits {
  /** The bad release of the profile does not start on it. */
  isProne: boolean;
  /** Its agent knows neither gates nor windows. */
  isOld: boolean;
  /** Empty for a robot without gates. */
  gates: GateSettings;
  /** How many times longer its orders take. */
  slowness: number;
  drifts: boolean;
  isOftenOffline: boolean;
}

/** Of all robots with gates. */
const dockGatePercent = 10;
const gateBatteryPercent = 30;

/** Follows from the seed of the robot. Each trait is drawn by itself, so that a change of one leaves the others alone. */
export function traitsOf(seed: string, profile: Profile): Traits {
  const isDrawn = (trait: string, percent: number) => seeded(`${seed}/${trait}`)() * 100 < percent;
  return {
    isProne: isDrawn('bad_release', profile.bad_release_percent),
    isOld: isDrawn('old_agent', profile.old_agent_percent),
    gates: isDrawn('gates', profile.gates_percent)
      ? {
          batteryPercent: gateBatteryPercent,
          noMission: true,
          noEstop: true,
          docked: isDrawn('dock_gate', dockGatePercent),
        }
      : {},
    slowness: isDrawn('slow_disk', profile.slow_disk_percent) ? profile.slow_disk_factor : 1,
    drifts: isDrawn('drift', profile.drift_percent),
    isOftenOffline: isDrawn('offline', profile.offline_percent),
  };
}
