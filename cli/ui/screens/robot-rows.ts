import type { Fleet, Listing, Robot, Site } from '../data/data.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import type { Signs, Tone } from '../theme.ts';

/**
 * State of a robot in a word. Degraded: online, with problems. Health measures do not count: they are loaded for single
 * robots only.
 */
type RobotState = 'online' | 'degraded' | 'offline' | 'never seen';

/** A robot, with display names of what it references by id. */
export interface RobotRow {
  id: string;
  robot: Robot;
  state: RobotState;
  fleet: string;
  site: string;
  /** Of its releases, the one proved last. */
  release: string;
  hasDrifted: boolean;
}

export const stateTones: Readonly<Record<RobotState, Tone>> = {
  online: 'good',
  degraded: 'warn',
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
  return derivedRows(data.robots, [data.fleets, data.sites], ({ items }): RobotRow[] => {
    const [fleets, sites] = [data.fleets.get().value, data.sites.get().value];
    if (places[0] !== fleets || places[1] !== sites) kept = new WeakMap();
    places = [fleets, sites];
    return items.map((robot) => {
      const before = kept.get(robot);
      if (before) return before;
      const row = rowOf(robot, fleets, sites);
      kept.set(robot, row);
      return row;
    });
  });
});

function rowOf(robot: Robot, fleets: Listing<Fleet> | undefined, sites: Listing<Site> | undefined): RobotRow {
  const releases = releasesOf(robot);
  const newest = releases.reduce<(typeof releases)[number] | undefined>(
    (last, one) => (last && last.at > one.at ? last : one),
    undefined,
  );
  return {
    id: robot.id,
    robot,
    state: stateOf(robot),
    fleet: nameIn(fleets, robot.fleet_id),
    site: nameIn(sites, robot.site_id),
    release: newest?.tag ?? '',
    hasDrifted: hasDrifted(robot),
  };
}

const hasDrifted = (robot: Robot) => releasesOf(robot).some(({ drift }) => drift !== undefined);

/** Two agents have its identity, or it runs something other than what was deployed. */
export const problemsOf = (robot: Robot): string[] => [
  ...(robot.duplicate_agent_at === undefined ? [] : ['two agents']),
  ...(hasDrifted(robot) ? ['drifted'] : []),
];

export function stateOf(robot: Robot): RobotState {
  if (!robot.online) return robot.last_seen_at === undefined ? 'never seen' : 'offline';
  return problemsOf(robot).length > 0 ? 'degraded' : 'online';
}

/** Releases that the robot has proved to run; a service older than deployments does not report them. */
export const releasesOf = ({ reported }: Partial<Pick<Robot, 'reported'>>) => Object.values(reported?.releases ?? {});

/** Empty while names are not loaded; the id if the item is gone. */
export const nameIn = (listing: Listing<{ name: string }> | undefined, id: string): string =>
  listing === undefined ? '' : (listing.byId.get(id)?.name ?? id);
