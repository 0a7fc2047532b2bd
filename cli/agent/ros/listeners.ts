import type { RosListener } from './source.ts';

type Level = Parameters<RosListener['status']>[0];

/** The listeners of one topic of a source. */
export interface TopicListeners {
  /** The returned function removes the listener. A later listener receives the current status. */
  add(listener: RosListener): () => void;
  readonly size: number;
  wants(): boolean;
  message(type: string, message: unknown): void;
  /** Sent once for as long as it holds. */
  status(level: Level, message: string): void;
  /**
   * A message was skipped or could not be read. Reported at most once in 10 s: a publisher may send only such messages.
   */
  fault(message: string): void;
  /** The reported status no longer holds, as the message says. */
  well(message: string): void;
  /** The type of the last message; undefined before the first. */
  readonly type: string | undefined;
  /** When the last message arrived, or the first listener if there was none. By the monotonic clock. */
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
      // A listener that does not want this message has still seen the topic alive.
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
      // Two publishers sent at once: `wants` for the other message was called after this one, and no listener wanted
      // it.
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
