import type {
  ConnectionState,
  Data,
  Deployment,
  DeploymentFreeze,
  EchoState,
  HealthHistory,
  HealthTrail,
  Listing,
  LogScope,
  LogStats,
  Resource,
  Robot,
  RobotMeasurements,
  RolloutPolicy,
  Fleet,
  Site,
  TailLine,
  TailState,
} from '../../cli/ui/data/data.ts';
import type { Snapshot } from '../../cli/ui/data/freshness.ts';
import { createStore } from '../../cli/ui/data/store.ts';
import type { Place } from '../../cli/ui/views.ts';
import { headlessUi } from './headless-ui.ts';

interface FakeOptions {
  place?: Place;
  size?: { columns: number; rows: number };
  isAscii?: boolean;
}

/** A resource that the test sets. */
interface FakeResource<T> extends Resource<T> {
  set(snapshot: Snapshot<T>): void;
  /** As if the service had just sent it. */
  feed(value: T): void;
}

interface FakeList<T> extends FakeResource<Listing<T>> {
  /** As if the service had just sent these. */
  fill(items: readonly T[]): void;
}

/** Maximum number of lines in a tail of the interface. */
const maxLines = 5_000;

/** An interface without a service and without a terminal: the test sets its data and its clock. */
export function fakeUi({ place = { screen: 'robots' }, size, isAscii = false }: FakeOptions = {}) {
  const clock = { nowMs: 1_000_000 };

  function fakeResource<T>(): FakeResource<T> {
    const store = createStore<Snapshot<T>>({ value: undefined, freshness: { kind: 'loading' } });
    return {
      ...store,
      want: () => () => undefined,
      refresh: () => undefined,
      feed: (value) => store.set({ value, freshness: { kind: 'live', atMs: clock.nowMs } }),
    };
  }

  function fakeList<T extends { id: string }>(): FakeList<T> {
    const resource = fakeResource<Listing<T>>();
    return {
      ...resource,
      fill: (items) => resource.feed({ items, byId: new Map(items.map((item) => [item.id, item])) }),
    };
  }

  /** One resource for each list of words. */
  function fakeResources<T>(): (...words: string[]) => FakeResource<T> {
    const all = new Map<string, FakeResource<T>>();
    return (...words) => {
      const key = words.join(' ');
      const one = all.get(key) ?? fakeResource<T>();
      all.set(key, one);
      return one;
    };
  }

  const tail = createStore<TailState>({ lines: [], total: 0, openCount: 0, failures: new Map() });
  const echo = createStore<EchoState>({ lines: [], perSecond: 0, failure: undefined });
  const feeds = {
    connection: createStore<ConnectionState>({ kind: 'live', latencyMs: 3 }),
    clockAheadMs: createStore(0),
    whoami: fakeResource<never>(),
    robots: fakeList<Robot>(),
    sites: fakeList<Site>(),
    fleets: fakeList<Fleet>(),
    releases: fakeList<never>(),
    configs: fakeList<never>(),
    deployments: fakeList<Deployment>(),
    configDeployments: fakeList<never>(),
    freeze: fakeResource<DeploymentFreeze>(),
    rolloutPolicies: fakeList<RolloutPolicy>(),
    keys: fakeList<never>(),
    users: fakeList<never>(),
    tokens: fakeList<never>(),
    activity: fakeResource<never[]>(),
    healthHistory: fakeResource<HealthHistory>(),
    measurements: fakeList<RobotMeasurements>(),
    robot: fakeResources<Robot>(),
    health: fakeResources<HealthTrail>(),
    timeline: fakeResources<never>(),
    logStats: fakeResources<LogStats>(),
    topics: fakeResources<never>(),
    configRevisions: fakeResources<never>(),
    targets: fakeResources<never>(),
    events: fakeResources<never>(),
  };
  const tailed: (readonly string[])[] = [];
  const data: Data = {
    ...feeds,
    logStats: (scope: LogScope) => feeds.logStats(JSON.stringify(scope)),
    attend: () => undefined,
    tryNow: () => undefined,
    place: { baseUrl: 'http://127.0.0.1:8080', baseUrlFrom: 'default', profile: 'default' },
    logs(robotIds) {
      tailed.push(robotIds);
      return {
        ...tail,
        want: () => () => undefined,
        clear: () => tail.update((now) => ({ ...now, lines: [] })),
      };
    },
    echo: () => ({ ...echo, want: () => () => undefined }),
    now: () => clock.nowMs,
    end: () => undefined,
  };
  const headless = headlessUi({ data, place, settings: { isAscii } });
  if (size) headless.size.set(size);
  return {
    ...headless,
    clock,
    feeds,
    /** The robots whose logs were requested, once per request. */
    tailed,
    tail: {
      ...tail,
      /** More lines; the oldest are dropped. */
      add: (more: readonly TailLine[]) =>
        tail.update((now) => ({
          ...now,
          openCount: 1,
          lines: [...now.lines, ...more].slice(-maxLines),
          total: now.total + more.length,
        })),
    },
    echo,
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
  health_status: 'unknown',
  conditions: [],
  created_at: at,
});

export const robot = (id: string, more: Partial<Robot> = {}): Robot => ({
  ...neverSeen(id),
  online: true,
  last_seen_at: at,
  ...more,
});

/** A robot seen just now, whose name is not its ID. */
export const robotNamed = (name: string, more: Partial<Robot> = {}): Robot =>
  robot(`id-${name}`, {
    name,
    site_id: 'site',
    fleet_id: 'fleet',
    last_seen_at: new Date().toISOString(),
    ...more,
  });

/** Lines of one robot, numbered in their messages. */
export const logLines = (from: number, count: number, more: { level?: string; robotId?: string; text?: string } = {}) =>
  Array.from({ length: count }, (_, index): TailLine => {
    const { level = 'info', robotId = 'id-amr-007', text = '' } = more;
    const message = `line ${from + index}${text}`;
    return {
      kind: 'record',
      robotId,
      record: { seq: from + index, robot_id: robotId, ts: at, received_at: at, level, source: 'journal', message },
    };
  });
