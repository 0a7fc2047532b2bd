import { concurrencyLimiter, gatedConnector } from '../../live/concurrency-limiter.ts';
import type { Data, DeploymentFreeze, DeploymentKind, LogStats, Robot, TopicList, Whoami } from './data.ts';
import { entriesOf } from './entries.ts';
import { healthTrail } from './health.ts';
import { cacheByKey } from './cache.ts';
import { clockWithSleep } from './clock.ts';
import { liveEcho } from './live-echo.ts';
import { listingOf, pagesOf, type AskPage, type Asker } from './listing.ts';
import { polled, type PolledResource } from './resource.ts';
import { keepIfEqual } from './deep-equal.ts';
import type { Session } from './session.ts';
import { createStore } from './store.ts';
import { liveTail } from './tail.ts';
import { createConnectionMonitor, type ConnectionMonitor } from './connection-monitor.ts';

export interface DataSettings {
  session: Session;
  /** Clock of the stores, in ms; default: since this process started, with the time in which the machine slept. */
  now?: (() => number) | undefined;
  random?: (() => number) | undefined;
  /** How long an unreferenced resource keeps polling. Default: 10 s. */
  lingerMs?: number | undefined;
  /** Timeout of a read. Default: 10 s. */
  answerWithinMs?: number | undefined;
}

/** `Data`, plus what mutations need. */
export interface LiveData extends Data {
  monitor: ConnectionMonitor;
  /** A user signed in, to this org: everything is requested again, and discarded first if it is of another org. */
  renew(orgId: string): void;
}

const [fastMs, usualMs, slowMs] = [2_000, 5_000, 15_000];
/** Live streams opened concurrently. */
const openAtATime = 10;

const pathsByKind = {
  release: ['/api/deployments/{id}/targets', '/api/deployments/{id}/events'],
  config: ['/api/configs/deployments/{id}/targets', '/api/configs/deployments/{id}/events'],
} as const satisfies Record<DeploymentKind, unknown>;

/** A smaller clock offset makes no visible difference in ages. */
const clockOffMs = 5_000;

/** `date`: of a response that took `tookMs`, set at some point in that time. In whole seconds, as `date` is. */
function aheadMs(date: string | undefined, tookMs: number): number {
  const ms = Math.round((Date.now() - Date.parse(date ?? '')) / 1_000) * 1_000;
  return Math.abs(ms) > clockOffMs + tookMs ? ms : 0;
}

/** Everything the interface reads, by polling and live streams. It never throws, and never ends by itself. */
export function createData(settings: DataSettings): LiveData {
  const { session, now = clockWithSleep(), random, lingerMs, answerWithinMs } = settings;
  const monitor = createConnectionMonitor({ api: session.api, now, random, answerWithinMs });
  const active = new Set<PolledResource<unknown>>();
  const fixedResources: PolledResource<unknown>[] = [];
  const polls = cacheByKey<PolledResource<unknown>>(now);
  const lives = cacheByKey<ReturnType<typeof liveTail> | ReturnType<typeof liveEcho>>(now);
  const gated = concurrencyLimiter(openAtATime);

  /** `name`: its failures count as those of the service; undefined: one robot responds. */
  function resource<T>(
    name: string | undefined,
    everyMs: number,
    read: (ask: Asker, before: T | undefined) => Promise<T>,
  ): PolledResource<T> {
    const one: PolledResource<T> = polled<T>({
      everyMs,
      monitor,
      now,
      lingerMs,
      async fetch(before) {
        let workMs = 0;
        const onAnswer = (ms: number) => (workMs += ms - Math.min(ms, monitor.shortestMs()));
        const value = await read(
          (run) => monitor.call(run, { ...(name === undefined ? { isOfOneRobot: true } : { name }), onAnswer }),
          before,
        );
        return { value, workMs };
      },
      onActive(isActive) {
        if (isActive) active.add(one);
        else active.delete(one);
        if (!isActive && name !== undefined) monitor.forget(name);
      },
    });
    return one;
  }

  function fixed<T>(...words: Parameters<typeof resource<T>>): PolledResource<T> {
    const one = resource<T>(...words);
    fixedResources.push(one);
    return one;
  }

  const list = <T extends { id: string }>(name: string, everyMs: number, askPage: AskPage<T>) =>
    fixed(name, everyMs, listingOf(askPage));

  let isFree = true;
  const unsubscribe = monitor.state.subscribe(() => {
    const failure = monitor.blockingFailure();
    const wasFree = isFree;
    isFree = failure === undefined;
    if (failure) for (const one of active) one.doubt(failure);
    else if (!wasFree) for (const one of active) one.refresh();
  });

  const { baseUrl, baseUrlFrom, profile } = session.connection;
  const clockAheadMs = createStore(0);
  const whoami = fixed<Whoami>('whoami', 60_000, async (ask, before) => {
    const askedMs = now();
    const { body, date } = await ask((api) => api.get('/api/whoami', {}));
    clockAheadMs.set(aheadMs(date, now() - askedMs));
    return keepIfEqual(before, body.data);
  });
  return {
    monitor,
    connection: monitor.state,
    clockAheadMs,
    attend: monitor.attend,
    tryNow: monitor.tryNow,
    place: { baseUrl, baseUrlFrom, profile: profile.name },
    whoami,
    robots: list('robots', fastMs, (api, query, etag) => api.getChanged('/api/robots', { query }, etag)),
    sites: list('sites', usualMs, (api, query, etag) => api.getChanged('/api/sites', { query }, etag)),
    fleets: list('fleets', usualMs, (api, query, etag) => api.getChanged('/api/fleets', { query }, etag)),
    releases: list('releases', usualMs, (api, query, etag) => api.getChanged('/api/releases', { query }, etag)),
    configs: list('configs', usualMs, (api, query, etag) => api.getChanged('/api/configs', { query }, etag)),
    deployments: list('deployments', fastMs, (api, query, etag) => api.getChanged('/api/deployments', { query }, etag)),
    configDeployments: list('config deployments', fastMs, (api, query, etag) =>
      api.getChanged('/api/configs/deployments', { query }, etag),
    ),
    freeze: fixed<DeploymentFreeze>('freeze', usualMs, async (ask, before) =>
      keepIfEqual(before, (await ask((api) => api.get('/api/deployment-freeze', {}))).body.data),
    ),
    rolloutPolicies: list('rollout policies', usualMs, (api, query, etag) =>
      api.getChanged('/api/rollout-policies', { query }, etag),
    ),
    keys: list('keys', usualMs, (api, query, etag) => api.getChanged('/api/enrollment-keys', { query }, etag)),
    users: list('users', usualMs, (api, query, etag) => api.getChanged('/api/users', { query }, etag)),
    tokens: list('tokens', usualMs, (api, query, etag) => api.getChanged('/api/tokens', { query }, etag)),
    activity: fixed(
      'activity',
      usualMs,
      entriesOf((api, after) => api.get('/api/audit', { query: { after } })),
    ),
    measurements: list('measurements', slowMs, (api, query, etag) =>
      api.getChanged('/api/robot-metrics', { query }, etag),
    ),
    // A robot that does not exist is not a failure of the service: no name.
    robot: (id) =>
      polls.by(['robot', id], () =>
        resource<Robot>(undefined, 10_000, async (ask, before) =>
          keepIfEqual(before, (await ask((api) => api.get('/api/robots/{id}', { path: { id } }))).body.data),
        ),
      ),
    healthHistory: fixed('health history', 60_000, async (ask, before) =>
      keepIfEqual(before, (await ask((api) => api.get('/api/health-history', {}))).body.data),
    ),
    health: (id) => polls.by(['health', id], () => resource(`health ${id}`, fastMs, healthTrail(id))),
    timeline: (id) =>
      polls.by(['timeline', id], () =>
        resource(
          `timeline ${id}`,
          usualMs,
          entriesOf((api, after) => api.get('/api/robots/{id}/timeline', { path: { id }, query: { after } })),
        ),
      ),
    // A robot that does not respond is not a failure of the service: no name.
    topics: (id) =>
      polls.by(['topics', id], () =>
        resource<TopicList>(undefined, 10_000, async (ask, before) => {
          const { items, nodes } = (await ask((api) => api.get('/api/robots/{id}/ros/topics', { path: { id } }))).body;
          return keepIfEqual(before, { topics: items, nodes });
        }),
      ),
    configRevisions: (id) =>
      polls.by(['configRevisions', id], () =>
        resource(
          `revisions ${id}`,
          usualMs,
          pagesOf(
            (api, query, etag) => api.getChanged('/api/config-revisions', { query: { ...query, config_id: id } }, etag),
            ({ revision }) => String(revision),
          ),
        ),
      ),
    targets: (deploymentKind, id) =>
      polls.by(['targets', deploymentKind, id], () =>
        resource(
          `targets ${id}`,
          fastMs,
          pagesOf(
            (api, query, etag) => api.getChanged(pathsByKind[deploymentKind][0], { path: { id }, query }, etag),
            ({ robot_id: robotId }) => robotId,
          ),
        ),
      ),
    events: (deploymentKind, id) =>
      polls.by(['events', deploymentKind, id], () =>
        resource(
          `events ${id}`,
          fastMs,
          entriesOf((api, after) => api.get(pathsByKind[deploymentKind][1], { path: { id }, query: { after } })),
        ),
      ),
    logs: (robotIds) =>
      lives.by(['logs', ...robotIds], () =>
        liveTail({
          robotIds: [...new Set(robotIds)],
          monitor,
          now,
          lingerMs,
          stored: async (id, limit) =>
            (
              await gated(() =>
                monitor.call((api) => api.get('/api/robots/{id}/logs', { path: { id }, query: { limit } })),
              )
            ).body.items,
          connector: gatedConnector(session.streams, gated),
        }),
      ),
    // A service of an earlier release does not count, which is no failure: no name.
    logStats: (scope) =>
      polls.by(['logStats', JSON.stringify(scope)], () =>
        resource<LogStats>(undefined, 60_000, async (ask, before) =>
          keepIfEqual(before, (await ask((api) => api.get('/api/log-stats', { query: { ...scope } }))).body.data),
        ),
      ),
    echo: (robotId, topic) =>
      lives.by(['echo', robotId, topic], () =>
        liveEcho({ monitor, connector: session.streams, robotId, topic, now, lingerMs }),
      ),
    now,
    renew(orgId) {
      const before = whoami.get().value?.org.id;
      const isOther = before !== undefined && before !== orgId;
      monitor.renew();
      if (isOther) for (const one of [...fixedResources, ...polls.all()]) one.reset();
      else for (const one of active) one.refresh();
      for (const one of lives.all()) one.renew(isOther);
    },
    end() {
      unsubscribe();
      monitor.end();
      for (const one of [...fixedResources, ...polls.all(), ...active]) one.end();
      for (const one of lives.all()) one.end();
      session.end();
    },
  };
}
