import { messageOf } from '../../transport/http.ts';
import { graphSocket } from './graph-socket.ts';
import { topicListeners, type TopicListeners } from './listeners.ts';
import { exactJson, restoreBy, type Restore } from './rosbridge-json.ts';
import { answered, plainType, silentAfterMs, unknownType, type RosSource } from './source.ts';

/** A frame of the rosbridge protocol; its fields depend on `op`. */
interface Frame {
  op?: unknown;
  id?: string;
  topic?: string;
  msg?: unknown;
  level?: string;
  result?: boolean;
  values?: unknown;
}

interface Topic {
  listeners: TopicListeners;
  leave: () => void;
  /** According to rosapi; a bridge without rosapi does not report the type. */
  type?: string | undefined;
  restore?: Restore | undefined;
  /** A subscription was sent on the open connection. */
  isSubscribed: boolean;
}

const lookEveryMs = 2_000;

/** A graph behind rosbridge_suite, of ROS 1 or ROS 2. */
export function rosbridgeSource({ url, socketUrl }: { url: string; socketUrl: string }): RosSource {
  const topics = new Map<string, Topic>();
  const calls = new Map<string, (frame: Frame) => void>();
  let lastId = 0;
  let wasLost = false;
  let timer: NodeJS.Timeout | undefined;

  const socket = graphSocket({
    url,
    socketUrl,
    opened() {
      // Otherwise the bridge does not report problems.
      send({ op: 'set_level', level: 'warning' });
      if (wasLost) for (const { listeners } of topics.values()) listeners.well(`reconnected to ${url}`);
      wasLost = false;
      for (const [name, topic] of topics) {
        topic.isSubscribed = false;
        void begin(name, topic);
      }
    },
    message(data, isBinary) {
      if (isBinary) return; // a frame of an encoding that was not requested
      try {
        take(exactJson(data.toString('utf8')) as Frame);
      } catch {
        // A frame that is not JSON is ignored.
      }
    },
    lost(why) {
      wasLost = true;
      calls.clear();
      for (const { listeners } of topics.values()) listeners.status('warn', `${why}. Retrying`);
    },
  });

  const isOpen = () => socket.open !== undefined;

  function send(frame: object): void {
    socket.open?.send(JSON.stringify(frame));
  }

  function take(frame: Frame): void {
    if (frame.op === 'publish') return message(frame);
    if (frame.op === 'service_response') {
      const answer = calls.get(frame.id ?? '');
      calls.delete(frame.id ?? '');
      return answer?.(frame);
    }
    if (frame.op !== 'status' || typeof frame.msg !== 'string') return;
    const said = frame.msg;
    const about = topics.get(frame.id ?? '');
    about?.listeners.status('warn', said.slice(0, 500));
  }

  function message({ topic: name = '', msg }: Frame): void {
    const topic = topics.get(name);
    if (!topic?.listeners.wants()) return;
    try {
      topic.listeners.message(topic.type ?? unknownType, topic.restore ? topic.restore(msg) : msg);
    } catch (error) {
      topic.listeners.fault(`a message could not be read as ${topic.type}: ${messageOf(error)}`);
    }
  }

  async function call(service: string, args: object = {}): Promise<Record<string, unknown>> {
    await socket.opening();
    lastId += 1;
    const id = `call-${lastId}`;
    const answer = new Promise<Frame>((resolve) => calls.set(id, resolve));
    send({ op: 'call_service', id, service: `/rosapi/${service}`, args });
    const { result, values } = await answered(answer, `${url} (rosapi/${service})`).finally(() => calls.delete(id));
    if (result === false || typeof values !== 'object' || values === null)
      throw new Error(`${url} cannot say ${service}: ${typeof values === 'string' ? values : 'rosapi does not run'}`);
    return values as Record<string, unknown>;
  }

  /** Gets the type first, which says what is bytes. Without rosapi, messages are passed on unchanged. */
  async function begin(name: string, topic: Topic): Promise<void> {
    await learn(name, topic).catch(() => undefined);
    if (topics.get(name) !== topic || topic.isSubscribed || !socket.open) return;
    topic.isSubscribed = true;
    send({ op: 'subscribe', id: name, topic: name, queue_length: 1, ...(topic.type && { type: topic.type }) });
  }

  async function learn(name: string, topic: Topic): Promise<void> {
    const { type } = await call('topic_type', { topic: name });
    if (typeof type !== 'string' || type === '' || plainType(type) === topic.type) return;
    const { typedefs } = await call('message_details', { type }).catch(() => ({ typedefs: [] }));
    topic.type = plainType(type);
    topic.restore = Array.isArray(typedefs) && typedefs.length > 0 ? restoreBy(typedefs) : undefined;
  }

  async function look(): Promise<void> {
    if (!isOpen()) return;
    for (const [name, topic] of topics) {
      const { listeners } = topic;
      if (performance.now() - listeners.heardAtMs < silentAfterMs && topic.type !== undefined) continue;
      const before = topic.type;
      const isListed = await learn(name, topic).then(
        () => topic.type !== undefined,
        () => undefined,
      );
      if (topics.get(name) !== topic || !isOpen()) continue;
      if (before !== topic.type && topic.isSubscribed) {
        // The subscription used another type, or none.
        send({ op: 'unsubscribe', id: name, topic: name });
        topic.isSubscribed = false;
        await begin(name, topic);
      } else if (isListed === false) listeners.status('info', `${name} has no publisher yet`);
      else if (isListed && !listeners.hasMessages && performance.now() - listeners.heardAtMs >= silentAfterMs)
        listeners.status('warn', `${name} is listed, but no publisher responded within ${silentAfterMs / 1000} s`);
    }
  }

  function end(name: string, { isSubscribed, leave }: Topic): void {
    topics.delete(name);
    if (isSubscribed) send({ op: 'unsubscribe', id: name, topic: name });
    leave();
    if (topics.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** Keeps the connection during the call. */
  async function asking<T>(ask: () => Promise<T>): Promise<T> {
    const leave = socket.want();
    return ask().finally(leave);
  }

  return {
    url,
    listTopics: () =>
      asking(async () => {
        const { topics: names = [], types = [] } = (await call('topics')) as { topics?: string[]; types?: string[] };
        return names.map((name, index) => ({ name, type: plainType(types[index] ?? unknownType) }));
      }),
    listNodes: () =>
      asking(async () => {
        const { nodes = [] } = (await call('nodes')) as { nodes?: string[] };
        return nodes.toSorted();
      }),
    subscribe(name, on) {
      let topic = topics.get(name);
      if (!topic) {
        topic = { listeners: topicListeners(name), leave: socket.want(), isSubscribed: false };
        topics.set(name, topic);
        if (socket.open) void begin(name, topic);
        timer ??= setInterval(() => void look(), lookEveryMs);
      }
      const made = topic;
      const leave = made.listeners.add(on);
      return () => {
        leave();
        if (made.listeners.size === 0 && topics.get(name) === made) end(name, made);
      };
    },
    async close() {
      clearInterval(timer);
      for (const [name, { isSubscribed }] of topics)
        if (isSubscribed) send({ op: 'unsubscribe', id: name, topic: name });
      topics.clear();
      calls.clear();
      await socket.close();
    },
  };
}
