import type { Data, Fleet, Listing, Resource, Robot, Site } from '../../../cli/ui/data/data.ts';
import type { Snapshot } from '../../../cli/ui/data/freshness.ts';
import { createStore, type Store } from '../../../cli/ui/data/store.ts';
import type { Size } from '../../../cli/ui/ui.ts';
import type { Place } from '../../../cli/ui/views.ts';
import { bareUi } from '../../support/bare-ui.ts';

/** A resource that a test fills by hand. */
type Filled<T> = Resource<T> & Pick<Store<Snapshot<T>>, 'set'>;

function filled<T>(): Filled<T> {
  const store = createStore<Snapshot<T>>({ value: undefined, freshness: { kind: 'loading' } });
  return { ...store, want: () => () => undefined, refresh: () => undefined };
}

const lists = ['robots', 'sites', 'fleets', 'releases', 'configs', 'deployments', 'keys', 'users', 'tokens'] as const;

interface SceneOptions {
  size?: Size;
  place?: Place;
  isAscii?: boolean;
}

/** The interface on stores that are filled by hand, with a clock that is turned by hand. */
export function startScene({
  size = { columns: 100, rows: 30 },
  place = { screen: 'robots' },
  isAscii = false,
}: SceneOptions = {}) {
  const clock = { nowMs: 1_000_000 };
  const health = filled();
  const data = {
    ...(Object.fromEntries(lists.map((name) => [name, filled()])) as Record<string, unknown>),
    activity: filled(),
    health: () => health,
    whoami: filled(),
    connection: createStore({ kind: 'live', latencyMs: 12 }),
    clockAheadMs: createStore(0),
    attend: () => undefined,
    tryNow: () => undefined,
    place: { baseUrl: 'http://127.0.0.1:1', baseUrlFrom: 'a test', profile: 'prod' },
    now: () => clock.nowMs,
  } as unknown as Data; // what these tests do not look at is not there
  const { ui, size: sizeNow } = bareUi({ data, place, settings: { isAscii } });
  sizeNow.set(size);
  return {
    ui,
    clock,
    /** As if the service had sent them now. */
    fill<T extends { id: string }>(list: Resource<Listing<T>>, items: readonly T[]): void {
      const value = { items, byId: new Map(items.map((item) => [item.id, item])) };
      (list as Filled<Listing<T>>).set({ value, freshness: { kind: 'live', atMs: clock.nowMs } });
    },
    /** As if asking for it had failed since. */
    set<T>(list: Resource<T>, snapshot: Snapshot<T>): void {
      (list as Filled<T>).set(snapshot);
    },
  };
}

const at = '2026-11-21T09:00:00.000Z';
export const site = (id: string, name = id): Site => ({ id, name, created_at: at });
export const fleet = (id: string, siteId: string, name = id): Fleet => ({ id, name, site_id: siteId, created_at: at });
/** A robot whose agent never had a link. */
export const neverSeen = (id: string): Robot => ({
  id,
  name: id,
  org_id: 'org',
  site_id: 'north',
  fleet_id: 'pickers',
  online: false,
  labels: {},
  reported: { releases: {}, configs: {} },
  created_at: at,
});
export const robot = (id: string, facts: Partial<Robot> = {}): Robot => ({
  ...neverSeen(id),
  online: true,
  last_seen_at: at,
  ...facts,
});
