import { randomUUID } from 'node:crypto';
import type { Random } from '../../support/random.ts';
import { texts } from '../../support/hostile-inputs.ts';

/** The collection that a field of a body refers to. The object in a path belongs to the path before it. */
const collectionOf: Record<string, string[]> = {
  site_id: ['/api/sites'],
  fleet_id: ['/api/fleets'],
  user_id: ['/api/users'],
  robot_id: ['/api/robots'],
  release_id: ['/api/releases'],
  config_id: ['/api/configs'],
  plan_id: ['/api/deployment-plans'],
  target_id: ['/api/fleets', '/api/robots'],
  artifact_sha256: ['/api/artifacts'],
};
export const referringFields = Object.keys(collectionOf);

/** Hostile path parameters, as in a URL: broken escapes, other path endings, and texts that are legal and awkward. */
const hostilePaths = [
  ...['%00', '%ED%A0%80', '%zz', '%', '..%2f..', '%2e%2e', 'a%0d%0ab', '%ff', "'%20or%201=1--", '-1', '0', '1e999'],
  ...Object.values(texts).map(encodeURIComponent),
];

/** One object that several calls access at once. */
export interface Meeting {
  collection: string;
  id: string;
}

/** The objects that the calls created, including deleted ones, and the credentials they returned. */
export function randomObjects(random: Random, otherOrgs: string[]) {
  const ids = new Map<string, string[]>(); // by collection
  const credentials = new Map<string, string>(); // of a user, a robot or an enrollment key, by its id
  const of = (collection: string) => ids.get(collection) ?? [];

  function add(collection: string, id: unknown): void {
    if (typeof id !== 'string') return;
    const known = ids.get(collection);
    if (known) known.push(id);
    else ids.set(collection, [id]);
  }

  /** Usually a recent one, sometimes an old one, one of another kind or org, or one that never existed. */
  function any(collection: string): string {
    const own = of(collection);
    if (own.length > 0 && random.chance(0.7)) return random.pick(own.slice(-6));
    const lists = [own, random.pick([...ids.values()]), otherOrgs].filter((list) => list.length > 0);
    return random.chance(0.2) ? randomUUID() : random.pick(random.pick(lists));
  }

  return {
    any,
    add,
    credentialOf: (id: string) => credentials.get(id),
    anyCredential: () => random.pick([...credentials.values()].slice(-12)),

    /** Records the object of a successful POST. */
    learn(path: string, data: Record<string, unknown> | undefined): void {
      if (!data) return;
      const [collection = ''] = path.split(/\/[\da-f]{8}-|\?/);
      const owner = /^\/api\/users\/([^/]+)\/tokens/.exec(path)?.[1];
      add(owner === undefined ? collection : '/api/tokens', data['id']);
      add('/api/robots', data['robot_id']);
      add('/api/artifacts', data['artifact_sha256']);
      const [id, value] = [owner ?? data['robot_id'] ?? data['id'], data['robot_token'] ?? data['value']];
      if (typeof id === 'string' && typeof value === 'string' && value.startsWith('svc_')) credentials.set(id, value);
    },

    /** A recent object of a collection that is not empty. */
    meeting(collections: readonly string[]): Meeting {
      const collection = random.pick(collections.filter((each) => of(each).length > 0));
      return { collection, id: random.pick(of(collection).slice(-3)) };
    },

    /** The value of a field that refers to an object; for calls that meet, the object they meet on. */
    reference(field: string, meeting: Meeting | undefined): string {
      const collections = collectionOf[field] ?? [];
      return meeting && collections.includes(meeting.collection) ? meeting.id : any(random.pick(collections));
    },

    /** The last part of a path, as in the URL. */
    pathParameter(collection: string, meeting: Meeting | undefined): string {
      if (meeting?.collection === collection) return meeting.id;
      return random.chance(0.1) ? random.pick(hostilePaths) : encodeURIComponent(any(collection));
    },
  };
}
export type RandomObjects = ReturnType<typeof randomObjects>;

export const refersTo = (field: string, collection: string): boolean =>
  collectionOf[field]?.includes(collection) ?? false;
