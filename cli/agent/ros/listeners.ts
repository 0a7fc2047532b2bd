import type { RosListener } from './source.ts';

type Level = Parameters<RosListener['status']>[0];

/** Those who listen to one topic of a source. */
export interface TopicListeners {
  /** The function that it gives takes it away. Who comes later hears the status that holds. */
  add(listener: RosListener): () => void;
  readonly size: number;
  wants(): boolean;
  message(type: string, message: unknown): void;
  /** Told once for as long as it holds. */
  status(level: Level, message: string): void;
  /** A message was skipped or could not be read. Told once in 10 s at most: a publisher may send nothing else. */
  fault(message: string): void;
  /** What was told does not hold any more, as the message says. */
  well(message: string): void;
  /** Of the last message; undefined before the first. */
  readonly type: string | undefined;
  /** When the last message came, or when the first listener did, by the monotonic clock. */
  readonly heardAtMs: number;
  readonly hasMessages: boolean;
}

const faultEveryMs = 10_000;

export function topicListeners(topic: string): TopicListeners {
  const all = new Set<RosListener>();
  let wanting: RosListener[] = [];
  let type: string | undefined;
  let heardAtMs = performance.now();
  let hasMessages = false;
  let faultReportedMs = -Infinity;
  let holds: { level: Level; message: string } | undefined;

  return {
    add(listener) {
      all.add(listener);
      if (holds) listener.status(holds.level, holds.message);
      return () => void all.delete(listener);
    },
    get size() {
      return all.size;
    },
    wants() {
      heardAtMs = performance.now();
      // Who does not want this one has seen the topic alive all the same.
      holds = undefined;
      wanting = [...all].filter((listener) => listener.wants?.() ?? true);
      return wanting.length > 0;
    },
    message(now, message) {
      const receivedMs = Date.now();
      heardAtMs = performance.now();
      [hasMessages, holds] = [true, undefined];
      const before = type;
      type = now;
      if (before !== undefined && before !== now)
        for (const listener of all) listener.status('warn', `${topic} changed its type from ${before} to ${now}`);
      // Two publishers that send at once: the other's message was asked for after this one, and nobody wanted it.
      for (const listener of wanting.length > 0 ? wanting : all) listener.message(now, message, receivedMs);
    },
    status(level, message) {
      if (holds?.message === message) return;
      holds = { level, message };
      for (const listener of all) listener.status(level, message);
    },
    fault(message) {
      const nowMs = performance.now();
      if (nowMs - faultReportedMs < faultEveryMs) return;
      faultReportedMs = nowMs;
      for (const listener of all) listener.status('warn', message);
    },
    well(message) {
      holds = undefined;
      for (const listener of all) listener.status('info', message);
    },
    get type() {
      return type;
    },
    get heardAtMs() {
      return heardAtMs;
    },
    get hasMessages() {
      return hasMessages;
    },
  };
}
