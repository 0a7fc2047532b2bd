import type {
  ConnectionState,
  Data,
  EchoState,
  HealthTrail,
  Listing,
  Resource,
  Robot,
  TailLine,
  TailState,
} from '../../cli/ui/data/data.ts';
import type { Snapshot } from '../../cli/ui/data/freshness.ts';
import { createStore } from '../../cli/ui/data/store.ts';
import type { Place } from '../../cli/ui/views.ts';
import { bareUi } from './bare-ui.ts';

/** What is kept up to date by hand. */
interface Fed<T> extends Resource<T> {
  feed(value: T): void;
  set(snapshot: Snapshot<T>): void;
}

function fed<T>(): Fed<T> {
  const store = createStore<Snapshot<T>>({ value: undefined, freshness: { kind: 'loading' } });
  return {
    ...store,
    want: () => () => undefined,
    refresh: () => undefined,
    feed: (value) => store.set({ value, freshness: { kind: 'live', atMs: performance.now() } }),
  };
}

/** The same for the same words. */
function fedBy<T>(): (...words: string[]) => Fed<T> {
  const all = new Map<string, Fed<T>>();
  return (...words) => {
    const key = words.join(' ');
    const one = all.get(key) ?? fed<T>();
    all.set(key, one);
    return one;
  };
}

export const listing = <T extends { id: string }>(items: readonly T[]): Listing<T> => ({
  items,
  byId: new Map(items.map((item) => [item.id, item])),
});

/** A tail as the stores keep it: at most so many lines. */
const maxLines = 5_000;

/** An interface without a service: what it shows is fed by hand, what it hands over is noted. */
export function handUi(place: Place, { isAscii = false } = {}) {
  const tail = createStore<TailState>({ lines: [], total: 0, openCount: 0, troubles: new Map() });
  const echo = createStore<EchoState>({ lines: [], perSecond: 0, trouble: undefined });
  const feeds = {
    whoami: fed<never>(),
    robots: fed<Listing<Robot>>(),
    sites: fed<Listing<never>>(),
    fleets: fed<Listing<never>>(),
    releases: fed<Listing<never>>(),
    configs: fed<Listing<never>>(),
    deployments: fed<Listing<never>>(),
    configDeployments: fed<Listing<never>>(),
    keys: fed<Listing<never>>(),
    users: fed<Listing<never>>(),
    tokens: fed<Listing<never>>(),
    activity: fed<never>(),
    health: fedBy<HealthTrail>(),
    timeline: fedBy<never>(),
    topics: fedBy<never>(),
    targets: fedBy<never>(),
    events: fedBy<never>(),
  };
  const tailed: (readonly string[])[] = [];
  const data: Data = {
    ...feeds,
    connection: createStore<ConnectionState>({ kind: 'live', latencyMs: 3 }),
    clockAheadMs: createStore(0),
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
    now: () => performance.now(),
    end: () => undefined,
  };
  const { ui, handedOver } = bareUi({ data, place, settings: { isAscii } });
  return {
    ui,
    feeds,
    handedOver,
    /** Whose logs were asked for, each time. */
    tailed,
    tail: {
      ...tail,
      /** More lines, of which the oldest fall out. */
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

export const robotNamed = (name: string, more: Partial<Robot> = {}): Robot => ({
  id: `id-${name}`,
  name,
  org_id: 'org',
  site_id: 'site',
  fleet_id: 'fleet',
  online: true,
  last_seen_at: new Date().toISOString(),
  labels: {},
  reported: { releases: {}, configs: {} },
  created_at: '2026-11-21T09:00:00.000Z',
  ...more,
});

/** Lines of one robot, numbered in their messages. */
export const logLines = (from: number, count: number, more: { level?: string; robotId?: string; text?: string } = {}) =>
  Array.from({ length: count }, (_, index): TailLine => {
    const { level = 'info', robotId = 'id-amr-007', text = '' } = more;
    const at = '2026-11-21T09:00:00.000Z';
    const message = `line ${from + index}${text}`;
    return {
      kind: 'record',
      robotId,
      record: { seq: from + index, robot_id: robotId, ts: at, received_at: at, level, source: 'journal', message },
    };
  });
