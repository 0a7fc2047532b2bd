import type { Fleet, Listing, Robot, RobotMeasurements, Site } from '../data/data.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Signs, Tone } from '../theme.ts';

/**
 * State of a robot in a word. Degraded and unhealthy: online, with problems, or so evaluated by the service.
 */
type RobotState = 'online' | 'degraded' | 'unhealthy' | 'offline' | 'never seen';

/** Health of a robot, whether it is online or not. Degraded: also if it has drifted, or two agents have its identity. */
export type Health = 'healthy' | 'degraded' | 'unhealthy' | 'unknown';

/** What a service without condition rules lacks. */
type Evaluated = Partial<Pick<Robot, 'health_status' | 'conditions'>>;

/** The service's word for the health of a robot; empty: it has none. */
export const healthOf = ({ health_status: status = '' }: Evaluated): string => status;

/** Conditions of a robot, also those that maintenance silences. */
const conditionsOf = ({ conditions = [] }: Evaluated) => conditions;

export const conditionNames = (robot: Evaluated): string[] => conditionsOf(robot).map(({ name }) => name);

/** A robot, with display names of what it references by id. */
export interface RobotRow {
  id: string;
  robot: Robot;
  state: RobotState;
  health: Health;
  /** Beside the robot: to count 10,000 rows, robots of many shapes are too slow to read. */
  fleetId: string;
  conditions: Robot['conditions'];
  fleet: string;
  site: string;
  /** Of its releases, the one proved last. */
  release: string;
  hasDrifted: boolean;
  /** Undefined: not loaded, which only lists that show or use them do. */
  measured: RobotMeasurements | undefined;
}

export const stateTones: Readonly<Record<RobotState, Tone>> = {
  online: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
  offline: 'bad',
  'never seen': 'quiet',
};

export function stateSign(state: RobotState, signs: Signs): string {
  if (state === 'never seen') return signs.unknown;
  return signs[state];
}

/** All robots of the org, for the screens that list or count them. */
export const robotRows = perUi(({ data }) => {
  let kept = new WeakMap<Robot, RobotRow>();
  let places: readonly unknown[] = [];
  return derivedRows(data.robots, [data.fleets, data.sites, data.measurements], ({ items }): RobotRow[] => {
    const [fleets, sites] = [data.fleets.get().value, data.sites.get().value];
    if (places[0] !== fleets || places[1] !== sites) kept = new WeakMap();
    places = [fleets, sites];
    const measured = data.measurements.get().value?.byId;
    return items.map((robot) => {
      const before = kept.get(robot);
      const own = measured?.get(robot.id);
      if (before && before.measured === own) return before;
      const row = rowOf(robot, fleets, sites, own);
      kept.set(robot, row);
      return row;
    });
  });
});

function rowOf(
  robot: Robot,
  fleets: Listing<Fleet> | undefined,
  sites: Listing<Site> | undefined,
  measured: RobotMeasurements | undefined,
): RobotRow {
  const releases = releasesOf(robot);
  const newest = releases.reduce<(typeof releases)[number] | undefined>(
    (last, one) => (last && last.at > one.at ? last : one),
    undefined,
  );
  return {
    id: robot.id,
    robot,
    state: stateOf(robot),
    health: healthIn(robot),
    fleetId: robot.fleet_id,
    conditions: conditionsOf(robot),
    fleet: nameIn(fleets, robot.fleet_id),
    site: nameIn(sites, robot.site_id),
    release: newest?.tag ?? '',
    hasDrifted: hasDrifted(robot),
    measured,
  };
}

const hasDrifted = (robot: Robot) => releasesOf(robot).some(({ drift }) => drift !== undefined);

/** Two agents have its identity, or it runs something other than what was deployed. */
const faultsOf = (robot: Robot): string[] => [
  ...(robot.duplicate_agent_at === undefined ? [] : ['two agents']),
  ...(hasDrifted(robot) ? ['drifted'] : []),
];

/** What is wrong with it, in a few words each; whether it is in maintenance. */
export const problemsOf = (robot: Robot): string[] => [
  ...conditionNames(robot),
  ...faultsOf(robot),
  ...(robot.maintenance ? ['in maintenance'] : []),
];

/** Why it is not healthy, in a line: the values that began its conditions, the worst first. */
export function reasonOf(robot: Robot): string {
  return [
    ...(robot.maintenance ? ['in maintenance'] : []),
    ...conditionsOf(robot).map(({ name, message }) => message || name),
    ...faultsOf(robot),
  ].join('; ');
}

export function stateOf(robot: Robot): RobotState {
  if (!robot.online) return robot.last_seen_at === undefined ? 'never seen' : 'offline';
  const health = healthOf(robot);
  if (health === 'unhealthy') return health;
  return health === 'degraded' || faultsOf(robot).length > 0 ? 'degraded' : 'online';
}

function healthIn(robot: Robot): Health {
  const state = stateOf(robot);
  const health = healthOf(robot);
  if (health === 'unhealthy' || health === 'degraded') return health;
  if (state === 'degraded') return state;
  // A service without condition rules does not evaluate: a robot without a fault is healthy while it is online.
  return state === 'online' && health !== 'unknown' ? 'healthy' : 'unknown';
}

/** Releases that the robot has proved to run; a service older than deployments does not report them. */
export const releasesOf = ({ reported }: Partial<Pick<Robot, 'reported'>>) => Object.values(reported?.releases ?? {});

/** Empty while names are not loaded; the id if the item is gone. */
export const nameIn = (listing: Listing<{ name: string }> | undefined, id: string): string =>
  listing === undefined ? '' : (listing.byId.get(id)?.name ?? id);
