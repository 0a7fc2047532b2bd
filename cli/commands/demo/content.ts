import { profiles, type Profile } from '../../agent/simulate/profile.ts';

/** What `cli demo` creates. Its names begin with `demo`; the robots, keys and notes carry the label `demo=true`. */
export const label = { key: 'demo', value: 'true' } as const;
export const labelText = `${label.key}=${label.value}`;
export const siteName = 'demo';
export const viewerEmail = 'demo@example.com';

export interface DemoRobot {
  name: string;
  fleet: string;
  /** Value of the label `problem`; undefined for a robot that is well. */
  problem: string | undefined;
  /** Undefined for a robot that is enrolled but never connects. */
  profile: Profile | undefined;
}

const healthy: Profile = {
  ...profiles.idle,
  health_seconds: 10,
  log_lines_per_minute: 12,
  log_batch_seconds: 2,
  warn_share: 0.03,
  error_share: 0.002,
  cpu_percent: 35,
  battery_minutes: 300,
  mission_minutes: 5,
  order_seconds: 8,
  camera_fps: 5,
};

/** The charge stays nearly as it is. */
const steadyBattery = { battery_minutes: 1_000_000, charge_below_percent: 0 };
const dayOffline = { flap_seconds_min: 86_400, flap_seconds_max: 86_400 };

/** Robots of a fleet by their problem; `never-connected` is the only one without an agent. */
const robotsByFleet: Readonly<Record<string, readonly (readonly [problem: string, differs: Partial<Profile>])[]>> = {
  'demo-pickers': [
    ['', {}],
    ['', {}],
    ['', {}],
    ['', {}],
    ['battery-low', { battery_percent: 9, ...steadyBattery }],
    ['connection-unstable', { flaps_per_hour: 90, flap_seconds_min: 5, flap_seconds_max: 30 }],
    ['offline', { flaps_per_hour: 3_600, ...dayOffline }],
    ['never-connected', {}],
  ],
  'demo-forklifts': [
    ['', {}],
    ['', {}],
    ['', {}],
    ['disk-full', { disk_free_percent: 2 }],
    ['errors-in-logs', { log_lines_per_minute: 60, error_share: 0.4, warn_share: 0.3 }],
    ['deployments-fail', { fail_percent: 100 }],
    ['deployments-roll-back', { rollback_percent: 100 }],
  ],
  'demo-cleaners': [
    ['', {}],
    ['', {}],
    ['overloaded', { cpu_percent: 98, memory_percent: 93, celsius: 88, ...steadyBattery }],
    ['deployments-slow', { order_seconds: 1_200 }],
    ['battery-low', { battery_percent: 12, ...steadyBattery }],
  ],
};

/** Robots that came after those, at the end of the simulation. */
const laterRobots: readonly (readonly [fleet: string, problem: string, differs: Partial<Profile>])[] = [
  ['demo-pickers', 'estop', { estop_percent: 100 }],
  ['demo-forklifts', 'diagnostics-error', { diagnostics_error_percent: 100 }],
];

export const fleetNames = Object.keys(robotsByFleet);

/** In the order of their index in the simulation; the order is never changed, because it determines the identities. */
export const robots: readonly DemoRobot[] = [
  ...Object.entries(robotsByFleet).flatMap(([fleet, members]) => members.map((member) => [fleet, ...member] as const)),
  ...laterRobots,
].map(([fleet, problem, differs], index, all) => {
  const number = all.slice(0, index + 1).filter(([other]) => other === fleet).length;
  return {
    name: `${fleet.replace(/s$/, '')}-${String(number).padStart(2, '0')}`,
    fleet,
    problem: problem === '' ? undefined : problem,
    profile: problem === 'never-connected' ? undefined : { ...healthy, ...differs },
  };
});

/** Made-up artifacts, which simulated robots do not download. In the order of their versions. */
export const releases = [
  { tag: 'demo-nav-1.8.1', kind: 'container_image', artifact_size: 183_500_800, notes: 'First version of the demo' },
  { tag: 'demo-nav-1.8.2', kind: 'container_image', artifact_size: 183_910_400, notes: 'Slower turns near people' },
  { tag: 'demo-nav-1.9.0-rc.1', kind: 'container_image', artifact_size: 201_326_592, notes: 'New path planner' },
] as const;

export const config = { namespace: 'demo', key: 'nav.max_speed', value: 1.2 } as const;

interface DemoDeployment {
  what: { release: (typeof releases)[number]['tag'] } | { config: true };
  fleet: string;
  /** Default: now. */
  inHours?: number;
}

/** In this order, so that a later one supersedes an earlier one of the same fleet. */
export const deployments: readonly DemoDeployment[] = [
  ...fleetNames.map((fleet): DemoDeployment => ({ what: { release: 'demo-nav-1.8.1' }, fleet })),
  { what: { config: true }, fleet: 'demo-forklifts' },
  { what: { release: 'demo-nav-1.8.2' }, fleet: 'demo-pickers' },
  { what: { release: 'demo-nav-1.9.0-rc.1' }, fleet: 'demo-cleaners', inHours: 24 },
];
