import { perUi } from '../table/derived-rows.ts';
import type { Ui } from '../ui.ts';
import { robotRows, type Health, type RobotRow } from './robot-rows.ts';

/** Robots in numbers. */
export interface RobotCounts {
  total: number;
  /** Including degraded ones, which are online too. */
  online: number;
  /** Online and degraded or unhealthy. */
  degraded: number;
  neverSeen: number;
  health: Record<Health, number>;
}

export const noRobots = (): RobotCounts => ({
  total: 0,
  online: 0,
  degraded: 0,
  neverSeen: 0,
  health: { healthy: 0, degraded: 0, unhealthy: 0, unknown: 0 },
});

interface Kept {
  rows?: readonly RobotRow[];
  byFleet?: ReadonlyMap<string, RobotCounts>;
  org?: RobotCounts;
}

const keptOf = perUi((): Kept => ({}));

/** By fleet id, counted once for all that show it. Undefined: robots are not loaded. */
export function countsByFleet(ui: Ui): ReadonlyMap<string, RobotCounts> | undefined {
  return current(ui)?.byFleet;
}

/** All robots of the org. Undefined: they are not loaded. */
export function orgCounts(ui: Ui): RobotCounts | undefined {
  return current(ui)?.org;
}

function current(ui: Ui): Kept | undefined {
  const { value: rows } = robotRows(ui).get();
  if (rows === undefined) return undefined;
  const kept = keptOf(ui);
  if (kept.rows !== rows) {
    const byFleet = count(rows);
    Object.assign(kept, { rows, byFleet, org: sumOf([...byFleet.values()]) });
  }
  return kept;
}

function count(rows: readonly RobotRow[]): ReadonlyMap<string, RobotCounts> {
  const counts = new Map<string, RobotCounts>();
  for (const { fleetId, state, health } of rows) {
    let one = counts.get(fleetId);
    if (!one) counts.set(fleetId, (one = noRobots()));
    one.total += 1;
    if (state !== 'offline' && state !== 'never seen') one.online += 1;
    if (state === 'degraded' || state === 'unhealthy') one.degraded += 1;
    else if (state === 'never seen') one.neverSeen += 1;
    one.health[health] += 1;
  }
  return counts;
}

export function sumOf(some: readonly RobotCounts[]): RobotCounts {
  const sum = noRobots();
  for (const { total, online, degraded, neverSeen, health } of some) {
    sum.total += total;
    sum.online += online;
    sum.degraded += degraded;
    sum.neverSeen += neverSeen;
    for (const name of Object.keys(sum.health) as Health[]) sum.health[name] += health[name];
  }
  return sum;
}
