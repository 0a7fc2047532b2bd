import type { Fleet, Site } from '../data/data.ts';
import { byName } from '../table/by-name.ts';
import { exactly } from '../table/filter-words.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { robotRows, type RobotRow } from './robot-rows.ts';

/** Number of robots, by state. */
interface RobotCounts {
  total: number;
  /** Including degraded ones, which are online too. */
  online: number;
  degraded: number;
  /** False: robots are not loaded, and all counts are 0. */
  isKnown: boolean;
}

/** A site, or one of its fleets. */
export interface SiteRow extends RobotCounts {
  id: string;
  name: string;
  kind: 'site' | 'fleet';
  site: string;
  /** The filter that keeps its robots. */
  filter: string;
  createdAt: string;
}

/** Sites by name, each with its fleets by name below it. */
export const siteRows = perUi((ui) => {
  const { sites, fleets } = ui.data;
  return derivedRows(sites, [fleets, robotRows(ui)], ({ items }): SiteRow[] => {
    const counts = countsOf(robotRows(ui).get().value);
    const all = fleets.get().value?.items ?? [];
    return byName<Site>(nameOf)(items).flatMap((site) => [
      rowOf('site', site, site, counts, exactly('site', site.name)),
      ...byName<Fleet>(nameOf)(all.filter(({ site_id: id }) => id === site.id)).map((fleet) =>
        rowOf('fleet', fleet, site, counts, `${exactly('fleet', fleet.name)} ${exactly('site', site.name)}`),
      ),
    ]);
  });
});

const nameOf = ({ name }: { name: string }) => name;

function rowOf(
  kind: SiteRow['kind'],
  place: Site | Fleet,
  site: Site,
  counts: ReadonlyMap<string, RobotCounts> | undefined,
  filter: string,
): SiteRow {
  const { id, name, created_at: createdAt } = place;
  return {
    id,
    name,
    kind,
    site: site.name,
    filter,
    createdAt,
    ...(counts?.get(id) ?? { ...none, isKnown: counts !== undefined }),
  };
}

const none: RobotCounts = { total: 0, online: 0, degraded: 0, isKnown: true };

/** By site id and by fleet id. */
function countsOf(rows: readonly RobotRow[] | undefined): ReadonlyMap<string, RobotCounts> | undefined {
  if (!rows) return undefined;
  const counts = new Map<string, RobotCounts>();
  for (const { robot, state } of rows)
    for (const id of [robot.site_id, robot.fleet_id]) {
      const count = counts.get(id) ?? { ...none };
      count.total += 1;
      if (robot.online) count.online += 1;
      if (state === 'degraded') count.degraded += 1;
      counts.set(id, count);
    }
  return counts;
}
