import { limits } from '../../../generated/protocol.js';
import type { TopicRecord, TopicStatus } from '../../../generated/media.js';
import { messageText } from './json.ts';
import { pace } from './pace.ts';
import type { RosSource } from './source.ts';

/** One stream of a topic. */
interface FeedSink {
  /** Called once for each message. */
  wants(): boolean;
  /** Receives each record that it wanted. */
  record(text: string): void;
  status(text: string): void;
}

/** One topic, shared by its streams: one subscription, and each message written as JSON once. */
export interface TopicFeed {
  /** Sends the newest record at once. The returned function removes the sink. */
  add(sink: FeedSink): () => void;
  /** There is no viewer; the feed is kept in case one returns. */
  readonly isIdle: boolean;
  end(): void;
}

/** Records per second that are kept without a viewer, for one that returns. */
const lingerPerSecond = 5;
/** Bytes around a message: names of topics and types are 1 KiB each at most. */
const frameBytes = 8 * 1024;

/**
 * Subscribes now. `ended` is called once, after `lingerMs` without a viewer or by `end`. The source retries a failed
 * subscription.
 */
export function topicFeed(
  source: RosSource,
  topic: string,
  ended: () => void,
  lingerMs: number = limits.lingerMs,
): TopicFeed {
  const sinks = new Set<FeedSink>();
  let wanting: FeedSink[] = [];
  let seq = 0;
  let newest: string | undefined;
  let status: string | undefined;
  let lingering: NodeJS.Timeout | undefined;
  const unwatched = pace(lingerPerSecond);

  const unsubscribe = source.subscribe(topic, {
    wants() {
      seq += 1;
      wanting = [...sinks].filter((sink) => sink.wants());
      return wanting.length > 0 || (sinks.size === 0 && unwatched.take());
    },
    message(type, message, receivedMs) {
      const { json, isCut } = messageText(message, limits.maxFrameBytes - frameBytes);
      const ts = new Date(receivedMs).toISOString();
      const head = JSON.stringify({ topic, type, seq, ts } satisfies Omit<TopicRecord, 'msg'>).slice(0, -1);
      newest = `${head},"msg":${json}${isCut ? ',"truncated":true' : ''}}`;
      status = undefined;
      for (const sink of wanting) sink.record(newest);
    },
    status(level, message) {
      status = JSON.stringify({ type: 'status', ts: new Date().toISOString(), level, message } satisfies TopicStatus);
      for (const sink of sinks) sink.status(status);
    },
  });

  function end(): void {
    clearTimeout(lingering);
    sinks.clear(); // a sink that leaves later starts no timer
    unsubscribe();
    ended();
  }

  return {
    add(sink) {
      clearTimeout(lingering);
      sinks.add(sink);
      if (newest !== undefined) sink.record(newest);
      if (status !== undefined) sink.status(status);
      return () => {
        if (!sinks.delete(sink) || sinks.size > 0) return;
        lingering = setTimeout(end, lingerMs);
      };
    },
    get isIdle() {
      return sinks.size === 0;
    },
    end,
  };
}
