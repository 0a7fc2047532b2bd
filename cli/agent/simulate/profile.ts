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
  /** Percent of all orders that are rejected, and that fail in other ways. A timed out one has no end. */
  reject_percent: number;
  download_fail_percent: number;
  no_space_percent: number;
  verify_fail_percent: number;
  timeout_percent: number;
  /** Tag of a release that does not start on some robots, which restore the earlier one; empty for none. */
  bad_release: string;
  /** Percent of all robots on which it does not start. */
  bad_release_percent: number;
  /** Pictures per second of its camera, which shows a test pattern; 0 for no camera. */
  camera_fps: number;
  /** Percent of all robots that are offline for long, again and again. */
  offline_percent: number;
  /** The shortest and the longest time that they are then offline, and online. */
  offline_hours_min: number;
  offline_hours_max: number;
  /** Percent of all robots with gates. */
  gates_percent: number;
  /** Percent of all robots whose agent knows neither gates nor windows. */
  old_agent_percent: number;
  /** Percent of all robots whose orders take longer, and how many times longer. */
  slow_disk_percent: number;
  slow_disk_factor: number;
  /** Percent of all robots that run something else some time after they applied a release. */
  drift_percent: number;
  /** About this time. */
  drift_minutes: number;
}

const idle: Profile = {
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
  reject_percent: 0,
  download_fail_percent: 0,
  no_space_percent: 0,
  verify_fail_percent: 0,
  timeout_percent: 0,
  bad_release: '',
  bad_release_percent: 100,
  camera_fps: 0,
  offline_percent: 0,
  offline_hours_min: 24,
  offline_hours_max: 72,
  gates_percent: 0,
  old_agent_percent: 0,
  slow_disk_percent: 0,
  slow_disk_factor: 10,
  drift_percent: 0,
  drift_minutes: 30,
};

export const profiles = {
  idle,
  busy: {
    ...idle,
    health_seconds: 30,
    log_lines_per_minute: 60,
    log_batch_seconds: 2,
    debug_share: 0.2,
    warn_share: 0.05,
    error_share: 0.005,
    flaps_per_hour: 0.2,
    cpu_percent: 65,
    battery_minutes: 240,
    mission_minutes: 10,
    mission_fail_percent: 2,
    diagnostics_warn_percent: 5,
    order_seconds: 20,
    fail_percent: 1,
    rollback_percent: 1,
    camera_fps: 5,
  },
  flaky: {
    ...idle,
    log_lines_per_minute: 6,
    debug_share: 0.05,
    warn_share: 0.15,
    error_share: 0.05,
    flaps_per_hour: 20,
    flap_seconds_max: 60,
    cpu_percent: 30,
    battery_minutes: 300,
    estop_percent: 2,
    mission_minutes: 20,
    mission_fail_percent: 10,
    diagnostics_error_percent: 5,
    diagnostics_warn_percent: 15,
    order_seconds: 30,
    fail_percent: 10,
    rollback_percent: 5,
    reject_percent: 1,
    download_fail_percent: 3,
    no_space_percent: 2,
    verify_fail_percent: 2,
    timeout_percent: 1,
    camera_fps: 2,
    offline_percent: 5,
    offline_hours_max: 720,
    gates_percent: 50,
    old_agent_percent: 5,
    slow_disk_percent: 10,
    slow_disk_factor: 5,
    drift_percent: 3,
  },
} satisfies Record<string, Profile>;
