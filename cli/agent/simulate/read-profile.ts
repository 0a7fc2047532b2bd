import { failureKeys } from './order-script.ts';
import { profiles, type Profile } from './profile.ts';

/** The least is 0, except where 0 would mean without end. */
const limits: Record<Exclude<keyof Profile, 'bad_release'>, readonly [least: number, most: number]> = {
  heartbeat_seconds: [0, 3_600],
  health_seconds: [0, 86_400],
  log_lines_per_minute: [0, 60_000],
  log_batch_seconds: [0.1, 3_600],
  debug_share: [0, 1],
  warn_share: [0, 1],
  error_share: [0, 1],
  flaps_per_hour: [0, 3_600],
  flap_seconds_min: [0, 86_400],
  flap_seconds_max: [0, 86_400],
  cpu_percent: [0, 100],
  battery_minutes: [1, 1_000_000],
  battery_percent: [0, 100],
  charge_below_percent: [0, 98],
  memory_percent: [0, 100],
  celsius: [0, 150],
  estop_percent: [0, 100],
  mission_minutes: [0, 1_440],
  mission_fail_percent: [0, 100],
  diagnostics_error_percent: [0, 100],
  diagnostics_warn_percent: [0, 100],
  disk_free_percent: [0, 100],
  order_seconds: [0.1, 86_400],
  fail_percent: [0, 100],
  rollback_percent: [0, 100],
  reject_percent: [0, 100],
  download_fail_percent: [0, 100],
  no_space_percent: [0, 100],
  verify_fail_percent: [0, 100],
  timeout_percent: [0, 100],
  bad_release_percent: [0, 100],
  camera_fps: [0, 30],
  offline_percent: [0, 100],
  offline_hours_min: [0.001, 8_760],
  offline_hours_max: [0.001, 8_760],
  gates_percent: [0, 100],
  old_agent_percent: [0, 100],
  slow_disk_percent: [0, 100],
  slow_disk_factor: [1, 1_000],
  drift_percent: [0, 100],
  drift_minutes: [0, 525_600],
};

/** Keys that divide a whole among them. */
const sums: readonly (readonly [keys: readonly (keyof typeof limits)[], most: number])[] = [
  [['debug_share', 'warn_share', 'error_share'], 1],
  [['diagnostics_error_percent', 'diagnostics_warn_percent'], 100],
  [failureKeys, 100],
];

/** A profile file is invalid; the message says why. */
export class ProfileError extends Error {
  override readonly name = 'ProfileError';
}

/** Parses a profile from JSON: an object with some of the keys, over the values of `idle`. @throws ProfileError */
export function readProfile(json: string): Profile {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    throw new ProfileError('is not JSON', { cause: error });
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new ProfileError('is not a JSON object');
  for (const [key, value] of Object.entries(read)) {
    if (!Object.hasOwn(profiles.idle, key))
      throw new ProfileError(`has an unknown key "${key}"; known: ${Object.keys(profiles.idle).join(', ')}`);
    if (key === 'bad_release') {
      if (typeof value === 'string') continue;
      throw new ProfileError('bad_release takes the tag of a release, in quotes');
    }
    const [least, most] = limits[key as keyof typeof limits];
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw new ProfileError(`${key} takes a number from ${least} to ${most}`);
  }
  const profile: Profile = { ...profiles.idle, ...read };
  if (profile.flap_seconds_min > profile.flap_seconds_max)
    throw new ProfileError('flap_seconds_min is more than flap_seconds_max');
  if (profile.offline_hours_min > profile.offline_hours_max)
    throw new ProfileError('offline_hours_min is more than offline_hours_max');
  for (const [keys, most] of sums)
    if (keys.reduce((sum, key) => sum + profile[key], 0) > most)
      throw new ProfileError(`${keys.slice(0, -1).join(', ')} and ${keys.at(-1) ?? ''} are more than ${most} together`);
  return profile;
}
