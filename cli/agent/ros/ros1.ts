import { setTimeout as pause } from 'node:timers/promises';
import type { PublisherLink, RosNode } from '@foxglove/ros1';
import { backoffMs } from '../../transport/backoff.ts';
import { messageOf } from '../../transport/http.ts';
import { topicListeners, type TopicListeners } from './listeners.ts';
import { startNode, stopNode, type Ros1NodeSettings } from './ros1-node.ts';
import { answered, plainType, silentAfterMs, type RosSource } from './source.ts';

interface Ros1Settings extends Omit<Ros1NodeSettings, 'filter'> {
  url: string;
  /** How often to check the graph while there are listeners. Default: 2 s. */
  lookEveryMs?: number | undefined;
}

interface Topic {
  listeners: TopicListeners;
  /** Why the last connection to a publisher failed. */
  fault?: string | undefined;
  /** Its listeners know that the master does not respond. */
  knowsLoss?: boolean;
}

const leaveWithinMs = 1_500;

/**
 * A ROS 1 graph. The library connects to publishers and stays connected. This source handles the rest: a restarted
 * master that no longer knows the node, and a node that was killed. It also handles a publisher that was down when it
 * was tried, and one that is listed but does not exist.
 */
export function ros1Source({ url, lookEveryMs = 2_000, ...settings }: Ros1Settings): RosSource {
  const { host, port } = settings.master;
  const master = `the ROS master at ${host}:${port}`;
  const topics = new Map<string, Topic>();
  let started: Promise<RosNode> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isLost = false;
  let isLooking = false;
  let isClosed = false;
  let waits = backoffMs();

  const filter = {
    wants: (name: string) => topics.get(name)?.listeners.wants() ?? false,
    tooLarge: (name: string, bytes: number) =>
      topics.get(name)?.listeners.fault(`a message of ${Math.round(bytes / 1e6)} MB on ${name} was skipped`),
  };

  function node(): Promise<RosNode> {
    if (isClosed) return Promise.reject(new Error(`${master} was left`));
    return (started ??= startNode({ ...settings, filter }).then(
      (made) => {
        for (const name of topics.keys()) begin(made, name);
        return made;
      },
      (error: unknown) => {
        started = undefined;
        throw error;
      },
    ));
  }

  function begin(made: RosNode, name: string): void {
    const topic = topics.get(name);
    if (!topic || made.subscriptions.has(name)) return;
    const subscription = made.subscribe({ topic: name, dataType: '*' });
    subscription.on('message', (message, _bytes, publisher) => {
      topic.fault = undefined;
      topic.listeners.message(typeOf(publisher), message);
    });
    subscription.on('error', ({ message }) => (topic.fault = message));
  }

  async function look(): Promise<void> {
    const made = await node();
    const { publishers, subscribers } = await answered(made.getSystemState(), master);
    for (const topic of isLost ? topics.values() : []) {
      topic.listeners.well(`${master} responds again`);
      topic.knowsLoss = false;
    }
    isLost = false;
    waits = backoffMs();
    for (const [name, topic] of topics) {
      // A shutdown from outside, as by `rosnode kill`, means the node; the viewers still want the topic.
      if (!made.isSubscribedTo(name)) return again(made);
      const links = [...(made.subscriptions.get(name)?.publishers().values() ?? [])];
      const isConnected = links.some(({ connection }) => connection.connected());
      const listed = publishers.get(name)?.size ?? 0;
      const isKnown = subscribers.get(name)?.has(made.name) ?? false;
      if (!isKnown || (listed > 0 && !isConnected)) await register(made, name);
      tell(name, topic, listed > 0, isConnected);
    }
  }

  function again(made: RosNode): void {
    started = undefined;
    made.shutdown();
    void node().catch(lost);
  }

  /**
   * Registers with the master again, and connects to the publishers that it names: it forgot the node, or they were
   * down.
   */
  async function register(made: RosNode, name: string): Promise<void> {
    const api = made.rosFollower.url();
    if (api === undefined) return;
    const asked = made.rosMasterClient.registerSubscriber(made.name, name, '*', api);
    const [, , publishers] = await answered(asked, master);
    if (!topics.has(name))
      return void made.rosMasterClient.unregisterSubscriber(made.name, name, api).catch(() => undefined);
    const links = made.subscriptions.get(name)?.publishers() ?? new Map<number, PublisherLink>();
    // Otherwise the library treats a publisher that it failed to reach as connected.
    for (const [id, { connection }] of links)
      if (!connection.connected()) made.subscriptions.get(name)?.removePublisher(id);
    made.rosFollower.emit('publisherUpdate', name, publishers as string[], made.name);
  }

  function tell(name: string, { listeners, fault }: Topic, isListed: boolean, isConnected: boolean): void {
    const isSilent = performance.now() - listeners.heardAtMs >= silentAfterMs;
    if (!isListed) return listeners.status('info', `${name} has no publisher ${listeners.hasMessages ? 'now' : 'yet'}`);
    if (!isSilent) return;
    const seconds = silentAfterMs / 1000;
    if (!isConnected) {
      const why = fault === undefined ? '' : `: ${fault}`;
      listeners.status('warn', `${name} is listed, but no publisher responded within ${seconds} s${why}`);
    } else if (!listeners.hasMessages)
      listeners.status('info', `${name} has a publisher, which sent nothing in ${seconds} s`);
  }

  function lost(error: unknown): void {
    isLost = true;
    for (const topic of topics.values()) {
      // Publishers continue meanwhile, and their messages clear the status: without the flag, it would be reported
      // again.
      if (!topic.knowsLoss) topic.listeners.status('warn', `${messageOf(error)}. Retrying`);
      topic.knowsLoss = true;
    }
  }

  /**
   * Schedules the next check while there are listeners; after longer and longer waits while the master does not
   * respond.
   */
  function plan(waitMs: number): void {
    clearTimeout(timer);
    if (topics.size === 0 || isClosed) return;
    timer = setTimeout(() => {
      if (isLooking) return;
      isLooking = true;
      look()
        .then(
          () => lookEveryMs,
          (error: unknown) => {
            lost(error);
            return Math.min(waits.next().value, 10_000);
          },
        )
        .then(
          (ms) => {
            isLooking = false;
            plan(ms);
          },
          () => undefined,
        );
    }, waitMs);
  }

  function end(name: string): void {
    topics.delete(name);
    void started?.then(
      (made) => topics.has(name) || made.unsubscribe(name),
      () => undefined,
    );
    if (topics.size === 0) clearTimeout(timer);
  }

  return {
    url,
    async listTopics() {
      const made = await node();
      const all = await answered(made.getPublishedTopics(), master);
      return all.map(([name, type]) => ({ name, type: plainType(type) }));
    },
    async listNodes() {
      const made = await node();
      const graph = await answered(made.getSystemState(), master);
      const names = Object.values(graph).flatMap((each) => [...each.values()].flatMap((nodes) => [...nodes]));
      return [...new Set(names)].sort();
    },
    subscribe(name, on) {
      let topic = topics.get(name);
      if (!topic) {
        topic = { listeners: topicListeners(name) };
        topics.set(name, topic);
        void node().then((made) => begin(made, name), lost);
        // By then the library has registered the node, or the first check does.
        if (topics.size === 1) plan(Math.min(500, lookEveryMs));
      }
      const { listeners } = topic;
      const leave = listeners.add(on);
      return () => {
        leave();
        if (listeners.size === 0 && topics.get(name)?.listeners === listeners) end(name);
      };
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      topics.clear();
      const left = started?.then(stopNode).catch(() => undefined);
      // Does not wait for a master that does not respond; the master learns of it once it does.
      await Promise.race([left, pause(leaveWithinMs, undefined, { ref: false })]);
    },
  };
}

const types = new WeakMap<object, string>();

/** From the connection header; cached, since the library copies the whole header on each call. */
function typeOf({ connection }: PublisherLink): string {
  const type = types.get(connection) ?? plainType(connection.header().get('type') ?? '');
  types.set(connection, type);
  return type;
}
