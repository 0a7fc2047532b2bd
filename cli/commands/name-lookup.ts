import type { Api } from '../api/api.ts';

/** Names by id, for any kind of id in a table; scripts get the ids. */
export type Names = ReadonlyMap<string, string>;
export type NameKind = 'users' | 'robots' | 'sites' | 'fleets' | 'releases' | 'configs' | 'keys' | 'org';

export const noNames: Names = new Map();

const readers: Record<NameKind, (api: Api) => Promise<(readonly [id: string, name: string])[]>> = {
  users: async (api) => (await api.get('/api/users', {})).body.items.map(({ id, email }) => [id, email]),
  robots: async (api) => (await api.get('/api/robots', {})).body.items.map(({ id, name }) => [id, name]),
  sites: async (api) => (await api.get('/api/sites', {})).body.items.map(({ id, name }) => [id, name]),
  fleets: async (api) => (await api.get('/api/fleets', {})).body.items.map(({ id, name }) => [id, name]),
  releases: async (api) => (await api.get('/api/releases', {})).body.items.map(({ id, tag }) => [id, tag]),
  configs: async (api) => (await api.get('/api/configs', {})).body.items.map(({ id, key }) => [id, key]),
  keys: async (api) =>
    (await api.get('/api/enrollment-keys', {})).body.items.map((key) => [key.id, key.label ?? `…${key.last_four}`]),
  org: async (api) => {
    const { org } = (await api.get('/api/whoami', {})).body.data;
    return [[org.id, org.name]];
  },
};

/** If a list cannot be read, its ids are shown instead: the table itself matters more. */
export async function namesOf(api: Api, kinds: readonly NameKind[]): Promise<Names> {
  return new Map((await Promise.all(kinds.map((kind) => readers[kind](api).catch(() => [])))).flat());
}
