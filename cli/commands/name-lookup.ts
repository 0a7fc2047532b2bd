import type { Api } from '../api/api.ts';

/** Names by id, for any kind of id in a table. */
export type Names = ReadonlyMap<string, string>;
export type NameKind = keyof typeof readers;

/** An id in an item, with its kind; undefined ids and kinds are skipped. */
export type Reference = readonly [kind: NameKind | undefined, id: string | undefined];

export const noNames: Names = new Map();

/** The target of a deployment or of a maintenance window. */
export const targetIn = ({
  target_kind: kind,
  target_id: id,
}: {
  target_kind: string;
  target_id: string;
}): Reference => [kinds[kind], id];
interface DeploymentTarget {
  target_id: string;
  target_selector?: string;
}

/** The name of a deployment's target: a selector is its own name. */
export const targetNameIn = ({ target_id: id, target_selector: selector }: DeploymentTarget, names: Names) =>
  selector ?? names.get(id);

/** The same, or its id. */
export const targetText = (deployment: DeploymentTarget, names: Names): string =>
  targetNameIn(deployment, names) ?? deployment.target_id;

const kinds: Readonly<Record<string, NameKind>> = { robot: 'robots', fleet: 'fleets', site: 'sites' };

/** The fleet and site of a robot or an enrollment key. */
export const placesIn = ({ fleet_id: fleet, site_id: site }: { fleet_id: string; site_id: string }): Reference[] => [
  ['fleets', fleet],
  ['sites', site],
];

/** Query of a list: the objects with these ids, or all. */
interface IdQuery {
  id?: string;
}
type Named = readonly [id: string, name: string];

const readers = {
  robots: async (api: Api, query: IdQuery) =>
    (await api.get('/api/robots', { query })).body.items.map(({ id, name }): Named => [id, name]),
  sites: async (api: Api, query: IdQuery) =>
    (await api.get('/api/sites', { query })).body.items.map(({ id, name }): Named => [id, name]),
  fleets: async (api: Api, query: IdQuery) =>
    (await api.get('/api/fleets', { query })).body.items.map(({ id, name }): Named => [id, name]),
  releases: async (api: Api, query: IdQuery) =>
    (await api.get('/api/releases', { query })).body.items.map(({ id, tag }): Named => [id, tag]),
  configs: async (api: Api, query: IdQuery) => {
    const lists = [api.get('/api/configs', { query }), api.get('/api/configs', { query: { ...query, deleted: true } })];
    return (await Promise.all(lists)).flatMap(({ body }) => body.items).map(({ id, key }): Named => [id, key]);
  },
  users: async (api: Api, query: IdQuery) =>
    (await api.get('/api/users', { query })).body.items.map(({ id, email }): Named => [id, email]),
  keys: async (api: Api, query: IdQuery) =>
    (await api.get('/api/enrollment-keys', { query })).body.items.map((key): Named => [
      key.id,
      key.label ?? `…${key.last_four}`,
    ]),
  /** Only the org of the token has a readable name. */
  org: async (api: Api) => {
    const { org } = (await api.get('/api/whoami', {})).body.data;
    return [[org.id, org.name] as const];
  },
} satisfies Record<string, (api: Api, query: IdQuery) => Promise<readonly Named[]>>;

/** The contract's limit for `id`. */
const idsPerRequest = 100;
/** For more ids than this, one complete list costs less than the requests for them. */
const maxAsked = 2_000;
/** Requests at a time. */
const concurrency = 4;
/** A list that is watched shows a new name after this time. */
const keptMs = 30_000;

/** Names of the objects that the items of a list refer to, by id; `load` adds those of a page. */
export interface NameLookup extends Names {
  /**
   * Reads the names that are not known yet, in as few requests as needed. A name that cannot be read stays unknown, and
   * its id is shown: the table itself matters more.
   */
  load(references: Iterable<Reference>): Promise<void>;
}

export function nameLookup(api: Api): NameLookup {
  const names = new Map<string, string>();
  const askedAtMs = new Map<string, number>();

  async function load(references: Iterable<Reference>): Promise<void> {
    const wanted = new Map<NameKind, string[]>();
    const nowMs = performance.now();
    for (const [kind, id] of references) {
      if (kind === undefined || id === undefined || nowMs - (askedAtMs.get(id) ?? -Infinity) < keptMs) continue;
      askedAtMs.set(id, nowMs);
      const ids = wanted.get(kind);
      if (ids) ids.push(id);
      else wanted.set(kind, [id]);
    }
    const requests = [...wanted].flatMap(([kind, ids]) => queriesFor(ids).map((query) => ({ kind, query })));
    for (let start = 0; start < requests.length; start += concurrency) {
      const batch = requests.slice(start, start + concurrency);
      const found = await Promise.all(batch.map(({ kind, query }) => readers[kind](api, query).catch(() => [])));
      for (const [id, name] of found.flat()) names.set(id, name);
    }
  }

  return Object.assign(names, { load });
}

function queriesFor(ids: readonly string[]): IdQuery[] {
  if (ids.length > maxAsked) return [{}];
  const count = Math.ceil(ids.length / idsPerRequest);
  return Array.from({ length: count }, (_, page) => ({
    id: ids.slice(page * idsPerRequest, (page + 1) * idsPerRequest).join(','),
  }));
}

/** The names of these references, for a single object. */
export async function namesOf(api: Api, references: Iterable<Reference>): Promise<Names> {
  const names = nameLookup(api);
  await names.load(references);
  return names;
}
