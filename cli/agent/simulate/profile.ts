/** How simulated robots behave. The keys are those of a profile file. */
export interface Profile {
  /** Interval between heartbeats; 0 uses the service's proposal. */
  heartbeat_seconds: number;
  /** How often a heartbeat carries a health snapshot. */
  health_seconds: number;
  log_lines_per_minute: number;
  /** How long lines are collected before they are sent. */
  log_batch_seconds: number;
  /** Shares of 1; all other lines are info. */
  debug_share: number;
  warn_share: number;
  error_share: number;
  /** Lost links per robot and hour. */
  flaps_per_hour: number;
  /** The shortest and the longest time that the robot then stays offline. */
  flap_seconds_min: number;
  flap_seconds_max: number;
  /** Average CPU usage, about. */
  cpu_percent: number;
  /** Minutes from full to empty. */
  battery_minutes: number;
  /** Charge at the start; 0 gives each robot a value of its own, from 30 to 100. */
  battery_percent: number;
  /** Below this charge a robot charges, until 98 percent. */
  charge_below_percent: number;
  /** Average use of its memory; 0 for about 45. */
  memory_percent: number;
  /** Temperature of its processor; 0 for one that follows the CPU usage, from 35 to 75. */
  celsius: number;
  /** Percent of all robots with an active emergency stop. */
  estop_percent: number;
  /** Average length of a mission; 0 for robots that are idle. */
  mission_minutes: number;
  /** Percent of all missions that fail. */
  mission_fail_percent: number;
  /** Percent of all robots whose diagnostics have an error, and a warning. */
  diagnostics_error_percent: number;
  diagnostics_warn_percent: number;
  /** Free space of its disk at the start; 0 gives each robot a value of its own, from 20 to 80. */
  disk_free_percent: number;
  /** About how long an order takes. */
  order_seconds: number;
  /** Percent of all orders that fail, and that are rolled back. */
  fail_percent: number;
  rollback_percent: number;
  /** Tag of a release that does not start on some robots, which restore the earlier one; empty for none. */
  bad_release: string;
  /** Percent of all robots on which it does not start. */
  bad_release_percent: number;
  /** Pictures per second of its camera, which shows a test pattern; 0 for no camera. */
  camera_fps: number;
}

export const profiles = {
  idle: {
    heartbeat_seconds: 0,
    health_seconds: 60,
    log_lines_per_minute: 0.2,
    log_batch_seconds: 5,
    debug_share: 0,
    warn_share: 0.02,
    error_share: 0.001,
    flaps_per_hour: 0,
    flap_seconds_min: 1,
    flap_seconds_max: 10,
    cpu_percent: 8,
    battery_minutes: 1_440,
    battery_percent: 0,
    charge_below_percent: 15,
    memory_percent: 0,
    celsius: 0,
    estop_percent: 0,
    mission_minutes: 0,
    mission_fail_percent: 0,
    diagnostics_error_percent: 0,
    diagnostics_warn_percent: 0,
    disk_free_percent: 0,
    order_seconds: 5,
    fail_percent: 0,
    rollback_percent: 0,
    bad_release: '',
    bad_release_percent: 100,
    camera_fps: 0,
  },
  busy: {
    heartbeat_seconds: 0,
    health_seconds: 30,
    log_lines_per_minute: 60,
    log_batch_seconds: 2,
    debug_share: 0.2,
    warn_share: 0.05,
    error_share: 0.005,
    flaps_per_hour: 0.2,
    flap_seconds_min: 1,
    flap_seconds_max: 10,
    cpu_percent: 65,
    battery_minutes: 240,
    battery_percent: 0,
    charge_below_percent: 15,
    memory_percent: 0,
    celsius: 0,
    estop_percent: 0,
    mission_minutes: 10,
    mission_fail_percent: 2,
    diagnostics_error_percent: 0,
    diagnostics_warn_percent: 5,
    disk_free_percent: 0,
    order_seconds: 20,
    fail_percent: 1,
    rollback_percent: 1,
    bad_release: '',
    bad_release_percent: 100,
    camera_fps: 5,
  },
  flaky: {
    heartbeat_seconds: 0,
    health_seconds: 60,
    log_lines_per_minute: 6,
    log_batch_seconds: 5,
    debug_share: 0.05,
    warn_share: 0.15,
    error_share: 0.05,
    flaps_per_hour: 20,
    flap_seconds_min: 1,
    flap_seconds_max: 60,
    cpu_percent: 30,
    battery_minutes: 300,
    battery_percent: 0,
    charge_below_percent: 15,
    memory_percent: 0,
    celsius: 0,
    estop_percent: 2,
    mission_minutes: 20,
    mission_fail_percent: 10,
    diagnostics_error_percent: 5,
    diagnostics_warn_percent: 15,
    disk_free_percent: 0,
    order_seconds: 30,
    fail_percent: 10,
    rollback_percent: 5,
    bad_release: '',
    bad_release_percent: 100,
    camera_fps: 2,
  },
} as const satisfies Record<string, Profile>;

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
  bad_release_percent: [0, 100],
  camera_fps: [0, 30],
};

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
  if (profile.debug_share + profile.warn_share + profile.error_share > 1)
    throw new ProfileError('debug_share, warn_share and error_share are more than 1 together');
  if (profile.fail_percent + profile.rollback_percent > 100)
    throw new ProfileError('fail_percent and rollback_percent are more than 100 together');
  if (profile.diagnostics_error_percent + profile.diagnostics_warn_percent > 100)
    throw new ProfileError('diagnostics_error_percent and diagnostics_warn_percent are more than 100 together');
  return profile;
}
