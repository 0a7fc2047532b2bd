import type { Open } from '../../../generated/frames.js';
import { closeCodes, limits } from '../../../generated/protocol.js';
import type { TopicList } from '../../../generated/media.js';
import { messageOf } from '../../transport/http.ts';
import type { StreamOpener } from '../streams/opener.ts';
import type { StreamListener, StreamSocket } from '../streams/socket.ts';
import { topicFeed, type TopicFeed } from './feed.ts';
import type { RosSource } from './source.ts';
import { topicStream } from './topic-stream.ts';

/** Maximum number of subscriptions, including those kept for viewers that return: a robot has other work. */
const mostTopics = 32;
/** How long one graph may take to list its topics. */
const findWithinMs = 2_000;
const whenStopped = 'the agent stops';

interface RosOpeners {
  topic: StreamOpener;
  topics: StreamOpener;
}

/** The openers for the topics of these graphs, of which there is at least one. They do not close the sources. */
export function rosOpeners(sources: readonly RosSource[]): RosOpeners {
  const feeds = new Map<string, TopicFeed>();
  const sockets = new Set<StreamSocket>();
  const [first] = sources;

  /** Registers the socket, so that `stop` closes it. */
  function kept(socketOf: () => StreamSocket, listener: StreamListener): StreamListener {
    queueMicrotask(() => void sockets.add(socketOf()));
    return {
      ...listener,
      closed(code) {
        sockets.delete(socketOf());
        listener.closed(code);
      },
    };
  }

  function feedOf(source: RosSource, topic: string): TopicFeed {
    const key = `${source.url} ${topic}`;
    const known = feeds.get(key);
    if (known) return known;
    const made = topicFeed(source, topic, () => feeds.delete(key));
    feeds.set(key, made);
    return made;
  }

  /** A feed without viewers makes room for a new one. */
  function hasPlaceFor({ topic, source }: TopicRequest): boolean {
    if (feeds.size < mostTopics) return true;
    if (sources.some(({ url }) => (source ?? url) === url && feeds.has(`${url} ${topic}`))) return true;
    [...feeds.values()].find(({ isIdle }) => isIdle)?.end();
    return feeds.size < mostTopics;
  }

  /** The graph that was named, else the first one that has the topic, else the first one. */
  async function graphOf({ topic, source }: TopicRequest): Promise<RosSource> {
    const named = sources.find(({ url }) => url === source);
    // A topic that has no publisher yet is awaited in the first graph.
    const fallback = first as RosSource; // `sources` has at least one
    if (named || sources.length === 1) return named ?? fallback;
    const lists = sources.map(async (each) => {
      const topics = await Promise.race([
        each.listTopics(),
        new Promise<[]>((resolve) => setTimeout(resolve, findWithinMs, [])),
      ]);
      if (!topics.some(({ name }) => name === topic)) throw new Error('not found');
      return each;
    });
    return Promise.any(lists).catch(() => fallback);
  }

  const stop = async () => {
    for (const socket of sockets) socket.close(closeCodes.restarting, whenStopped);
    for (const feed of feeds.values()) feed.end();
  };

  return {
    topic: {
      refusalOf(open) {
        const request = topicRequestOf(open);
        if (typeof request === 'string') return ['failed', request];
        if (request.source !== undefined && !sources.some(({ url }) => url === request.source))
          return ['not_found', `this robot has no ROS graph ${request.source}`];
        return hasPlaceFor(request) ? undefined : ['busy', `${mostTopics} topics of this robot are looked at`];
      },
      accept(open, socketOf) {
        const request = topicRequestOf(open) as TopicRequest; // it was not refused
        let inner: StreamListener | undefined;
        let perSecond: Buffer | undefined;
        let isClosed = false;
        void graphOf(request).then((source) => {
          if (isClosed) return;
          inner = topicStream(feedOf(source, request.topic), request.perSecond, socketOf);
          if (perSecond) inner.message(perSecond, false);
        });
        return kept(socketOf, {
          message(data, isBinary) {
            if (inner) inner.message(data, isBinary);
            else if (!isBinary) perSecond = data;
          },
          eased: () => inner?.eased(),
          closed(code) {
            isClosed = true;
            inner?.closed(code);
          },
        });
      },
      stop,
    },
    topics: {
      refusalOf: () => undefined,
      accept(_open, socketOf) {
        void listOf(sources).then(
          (text) => {
            socketOf().send(text);
            socketOf().close(closeCodes.ended, '');
          },
          (error: unknown) => socketOf().close(closeCodes.serverError, messageOf(error)),
        );
        return kept(socketOf, { message: () => undefined, eased: () => undefined, closed: () => undefined });
      },
      stop: async () => undefined,
    },
  };
}

interface TopicRequest {
  topic: string;
  source: string | undefined;
  perSecond: number | null;
}

function topicRequestOf({ parameters = {} }: Open): TopicRequest | string {
  const { topic, source, per_second: perSecond = null } = parameters;
  if (typeof topic !== 'string' || !/^[\w~/]{1,256}$/.test(topic)) return 'the topic name is invalid';
  if (source !== undefined && typeof source !== 'string') return 'the ROS graph is invalid';
  if (perSecond !== null && !(typeof perSecond === 'number' && perSecond > 0)) return 'the rate is invalid';
  // Names come with or without the leading slash.
  return { topic: topic.startsWith('/') ? topic : `/${topic}`, source, perSecond };
}

/** The topics and nodes of all graphs that respond. @throws the first error when none responds */
async function listOf(sources: readonly RosSource[]): Promise<string> {
  const lists = await Promise.allSettled(
    sources.map(async (source) => {
      const [topics, nodes] = await Promise.all([source.listTopics(), source.listNodes().catch(() => [])]);
      return { topics: topics.map((topic) => ({ ...topic, source: source.url })), nodes };
    }),
  );
  const known = lists.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [failed] = lists.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (known.length === 0 && failed !== undefined) throw new Error(messageOf(failed));
  const topics = known.flatMap((each) => each.topics).sort((one, other) => (one.name < other.name ? -1 : 1));
  const nodes = [...new Set(known.flatMap((each) => each.nodes))].sort();
  for (let kept: TopicList = { topics, nodes }; ;) {
    const text = JSON.stringify(kept);
    if (Buffer.byteLength(text) <= limits.maxCameraFrameBytes) return text;
    const half = <T>(all: readonly T[] = []) => all.slice(0, Math.floor(all.length / 2));
    kept = { topics: half(kept.topics), nodes: half(kept.nodes), truncated: true };
  }
}
