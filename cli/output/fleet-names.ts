import { foldedName } from '../command-line/spellings.ts';

interface Named {
  id: string;
  name: string;
}

/** By ID, how `--fleet` names each fleet: `pickers`, or `Osaka/pickers` where several sites have such a fleet. */
export function fleetNames(
  fleets: readonly (Named & { site_id: string })[],
  sites: readonly Named[],
): ReadonlyMap<string, string> {
  const siteNames = new Map(sites.map(({ id, name }) => [id, name]));
  const counts = new Map<string, number>();
  for (const { name } of fleets) counts.set(foldedName(name), (counts.get(foldedName(name)) ?? 0) + 1);
  return new Map(
    fleets.map(({ id, name, site_id: siteId }) => {
      const site = siteNames.get(siteId);
      return [id, counts.get(foldedName(name)) === 1 || site === undefined ? name : `${site}/${name}`];
    }),
  );
}
