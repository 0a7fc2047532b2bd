import type { Api } from '../api/api.ts';

/** Names by id, for tables; scripts get the ids. */
export interface Places {
  sites: ReadonlyMap<string, string>;
  fleets: ReadonlyMap<string, string>;
}

export const noPlaces: Places = { sites: new Map(), fleets: new Map() };

/**
 * Names that a table shows instead of ids. If a list cannot be read, its ids are shown: the table itself matters more.
 */
export async function placesOf(api: Api, kinds: readonly (keyof Places)[]): Promise<Places> {
  const [sites, fleets] = await Promise.all([
    kinds.includes('sites') ? api.get('/api/sites', {}).then(namesIn, () => noPlaces.sites) : noPlaces.sites,
    kinds.includes('fleets') ? api.get('/api/fleets', {}).then(namesIn, () => noPlaces.fleets) : noPlaces.fleets,
  ]);
  return { sites, fleets };
}

const namesIn = ({ body }: { body: { items: { id: string; name: string }[] } }) =>
  new Map(body.items.map(({ id, name }) => [id, name]));
