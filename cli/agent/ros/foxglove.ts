import protocol from '@foxglove/ws-protocol';
import type { Channel, FoxgloveClient, IWebSocket, MessageData } from '@foxglove/ws-protocol';
import rosmsg from '@foxglove/rosmsg';
import ros1 from '@foxglove/rosmsg-serialization';
import ros2 from '@foxglove/rosmsg2-serialization';
import { messageOf } from '../../transport/http.ts';
import { graphSocket } from './graph-socket.ts';
import { topicListeners, type TopicListeners } from './listeners.ts';
import { plainType, silentAfterMs, type RosSource } from './source.ts';

/** Bridges of 3.x accept only the first name, bridges up to 0.8 only the second. The protocol is the same. */
const protocols = ['foxglove.sdk.v1', 'foxglove.websocket.v1'];
/** A bridge advertises its channels at once, in one or a few frames. */
const channelsWithinMs = 1_000;

type Decode = (data: ArrayBufferView) => unknown;

interface Topic {
  listeners: TopicListeners;
  leave: () => void;
  subscription?: { id: number; channelId: number; decode: Decode; type: string } | undefined;
}

/** A graph behind foxglove_bridge, of ROS 2 or ROS 1. */
export function foxgloveSource({ url, socketUrl }: { url: string; socketUrl: string }): RosSource {
  const topics = new Map<string, Topic>();
  const channels = new Map<number, Channel>();
  const bySubscription = new Map<number, Topic>();
  let client: FoxgloveClient | undefined;
  let heard: (() => void)[] = [];
  let wasLost = false;
  let timer: NodeJS.Timeout | undefined;
  /** The library's socket. The library sets its handlers; the handlers of the graph socket call them. */
  let inner: IWebSocket | undefined;
  const nodes = new Map<string, Set<string>>();

  const socket = graphSocket({
    url,
    socketUrl,
    protocols,
    opened(made) {
      channels.clear();
      bySubscription.clear();
      nodes.clear();
      inner = {
        binaryType: 'arraybuffer',
        protocol: made.protocol,
        onerror: undefined,
        onopen: undefined,
        onclose: undefined,
        onmessage: undefined,
        close: () => made.close(),
        send: (data: string | ArrayBuffer | ArrayBufferView) => made.send(data),
      };
      client = new protocol.FoxgloveClient({ ws: inner });
      client.on('advertise', (added) => {
        for (const channel of added) channels.set(channel.id, channel);
        for (const name of new Set(added.map(({ topic }) => topic))) begin(name);
        for (const each of heard.splice(0)) each();
      });
      client.on('unadvertise', (removed) => removed.forEach(gone));
      client.on('message', message);
      client.on('connectionGraphUpdate', ({ publishedTopics, subscribedTopics }) => {
        for (const { name, publisherIds } of publishedTopics) nodes.set(`p ${name}`, new Set(publisherIds));
        for (const { name, subscriberIds } of subscribedTopics) nodes.set(`s ${name}`, new Set(subscriberIds));
      });
      client.on('serverInfo', ({ capabilities }) => {
        if (capabilities.includes('connectionGraph')) client?.subscribeConnectionGraph();
      });
      if (wasLost) for (const { listeners } of topics.values()) listeners.well(`reconnected to ${url}`);
      wasLost = false;
      for (const topic of topics.values()) topic.subscription = undefined;
    },
    message(data, isBinary) {
      // A copy in its own memory, because 64-bit numbers must be aligned in it.
      const frame = { data: isBinary ? Uint8Array.from(data) : data.toString('utf8') };
      try {
        inner?.onmessage?.(frame);
      } catch {
        // The library assumes that a frame has every field of the protocol. A frame that lacks one is ignored.
      }
    },
    lost(why) {
      wasLost = true;
      client = undefined;
      for (const { listeners } of topics.values()) listeners.status('warn', `${why}. Retrying`);
    },
  });

  /** Subscribes if the topic is wanted and has a channel; the channel advertised last is preferred. */
  function begin(name: string): void {
    const topic = topics.get(name);
    if (!topic || topic.subscription || !client) return;
    const channel = [...channels.values()].findLast((each) => each.topic === name);
    if (!channel) return;
    try {
      const decode = decoderOf(channel);
      const id = client.subscribe(channel.id);
      topic.subscription = { id, channelId: channel.id, decode, type: plainType(channel.schemaName) };
      bySubscription.set(id, topic);
    } catch (error) {
      topic.listeners.status('warn', `${name} cannot be read: ${messageOf(error)}`);
    }
  }

  function gone(channelId: number): void {
    channels.delete(channelId);
    for (const [name, topic] of topics) {
      if (topic.subscription?.channelId !== channelId) continue;
      bySubscription.delete(topic.subscription.id);
      topic.subscription = undefined;
      begin(name);
    }
  }

  function message({ subscriptionId, data }: MessageData): void {
    const topic = bySubscription.get(subscriptionId);
    if (!topic?.subscription || !topic.listeners.wants()) return;
    try {
      topic.listeners.message(topic.subscription.type, topic.subscription.decode(data));
    } catch (error) {
      topic.listeners.fault(`a message could not be read as ${topic.subscription.type}: ${messageOf(error)}`);
    }
  }

  function tell(): void {
    if (!socket.open) return;
    for (const [name, { listeners, subscription }] of topics) {
      const isSilent = performance.now() - listeners.heardAtMs >= silentAfterMs;
      if (!subscription && ![...channels.values()].some(({ topic }) => topic === name))
        listeners.status('info', `${name} has no publisher ${listeners.hasMessages ? 'now' : 'yet'}`);
      else if (subscription && isSilent && !listeners.hasMessages)
        listeners.status('warn', `${name} is listed, but no publisher responded within ${silentAfterMs / 1000} s`);
    }
  }

  function end(name: string, { subscription, leave }: Topic): void {
    topics.delete(name);
    if (subscription) {
      bySubscription.delete(subscription.id);
      if (socket.open) client?.unsubscribe(subscription.id);
    }
    leave();
    if (topics.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function connected(): Promise<void> {
    const isNew = !socket.open;
    await socket.opening();
    if (!isNew && channels.size > 0) return;
    await new Promise<void>((resolve) => {
      heard.push(resolve);
      setTimeout(resolve, channelsWithinMs).unref();
    });
  }

  return {
    url,
    async listTopics() {
      const leave = socket.want();
      try {
        await connected();
        return [...channels.values()].map(({ topic, schemaName }) => ({ name: topic, type: plainType(schemaName) }));
      } finally {
        leave();
      }
    },
    async listNodes() {
      const leave = socket.want();
      try {
        await connected();
        return [...new Set([...nodes.values()].flatMap((each) => [...each]))].sort();
      } finally {
        leave();
      }
    },
    subscribe(name, on) {
      let topic = topics.get(name);
      if (!topic) {
        topic = { listeners: topicListeners(name), leave: socket.want() };
        topics.set(name, topic);
        begin(name);
        timer ??= setInterval(tell, 1_000);
      }
      const { listeners } = topic;
      const made = topic;
      const leave = listeners.add(on);
      return () => {
        leave();
        if (listeners.size === 0 && topics.get(name) === made) end(name, made);
      };
    },
    async close() {
      clearInterval(timer);
      topics.clear();
      heard = [];
      await socket.close();
    },
  };
}

/** @throws Error when the encoding or the schema is unknown */
function decoderOf({ encoding, schema, schemaEncoding }: Channel): Decode {
  if (encoding === 'json')
    return (data) => JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8')) as unknown;
  if (encoding === 'ros1') {
    const reader = new ros1.MessageReader(rosmsg.parse(schema));
    return (data) => reader.readMessage(data);
  }
  if (encoding === 'cdr' && (schemaEncoding ?? 'ros2msg') === 'ros2msg') {
    const reader = new ros2.MessageReader(rosmsg.parse(schema, { ros2: true }));
    return (data) => reader.readMessage(data);
  }
  throw new Error(`its encoding is ${encoding}${schemaEncoding === undefined ? '' : ` by ${schemaEncoding}`}`);
}
