import type { Fleet, Site } from '../data/data.ts';
import { byName } from '../table/by-name.ts';
import { exactly } from '../table/filter-words.ts';
import { derivedRows, perUi } from '../table/derived-rows.ts';
import { countsByFleet, noRobots, sumOf, type RobotCounts } from './robot-counts.ts';
import { robotRows } from './robot-rows.ts';

/** A site, or one of its fleets. */
export interface SiteRow extends RobotCounts {
  /** False: robots are not loaded, and all counts are 0. */
  isKnown: boolean;
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
    const counts = countsByFleet(ui);
    const all = fleets.get().value?.items ?? [];
    return byName<Site>(nameOf)(items).flatMap((site) => {
      const own = byName<Fleet>(nameOf)(all.filter(({ site_id: id }) => id === site.id));
      const countsIn = (some: readonly Fleet[]) => counts && sumOf(some.map(({ id }) => counts.get(id) ?? noRobots()));
      return [
        rowOf('site', site, site, countsIn(own), exactly('site', site.name)),
        ...own.map((fleet) =>
          rowOf(
            'fleet',
            fleet,
            site,
            countsIn([fleet]),
            `${exactly('fleet', fleet.name)} ${exactly('site', site.name)}`,
          ),
        ),
      ];
    });
  });
});

const nameOf = ({ name }: { name: string }) => name;

function rowOf(
  kind: SiteRow['kind'],
  place: Site | Fleet,
  site: Site,
  counts: RobotCounts | undefined,
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
    ...(counts ?? noRobots()),
    isKnown: counts !== undefined,
  };
}
