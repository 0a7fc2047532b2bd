import { drain, follow } from './follow.ts';
import { queueOf } from './queue.ts';
import { bytesOf, fieldsOf, type StreamConnector } from './stream-connector.ts';

export interface CameraOptions {
  /** Name of one of its cameras. Default: the first. */
  camera?: string;
  /** Pictures a second at most. Default: as many as there are. */
  fps?: number;
  signal?: AbortSignal;
}

export interface TopicOptions {
  /** Messages a second at most. Default: as many as there are. */
  hz?: number;
  /** The graph, where the robot has several that know the topic. */
  source?: string;
  signal?: AbortSignal;
}

/** One message of a topic (its type has a slash), how many were dropped (`gap`), or what a person should know of it (`status`). */
export interface TopicFrame {
  type: string;
  ts: string;
  [field: string]: unknown;
}

/** A reader who is so many messages behind loses the oldest, and is told in their place. */
const maxWaiting = 1_000;

/** What a camera sees, one whole JPEG each. Who is slow gets the newest picture, and not older ones. */
export function camera(
  door: StreamConnector,
  robotId: string,
  { signal, ...query }: CameraOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const queue = queueOf<Uint8Array>({ most: 1 });
  const rhythm = rhythmOf(door.silentSeconds);
  function open() {
    rhythm.begin();
    return door.open(robotId, 'camera', 'camera/ws', query);
  }
  function onMessage(data: unknown): void {
    rhythm.beat();
    queue.put(bytesOf(data));
  }
  return drain(queue, (over) => follow({ ...rhythm.told, open, queue, onMessage, signal: over }), signal);
}

/** What is published on a ROS topic, as JSON. */
export function topic(
  door: StreamConnector,
  robotId: string,
  name: string,
  { signal, ...query }: TopicOptions = {},
): AsyncGenerator<TopicFrame, void> {
  const queue = queueOf<TopicFrame>({ most: maxWaiting, gapOf });
  const rhythm = rhythmOf(door.silentSeconds);
  let newest: TopicFrame | undefined;
  function open() {
    rhythm.begin();
    return door.open(robotId, 'topic', 'ros/topics/echo', { topic: name, ...query });
  }
  function onMessage(data: unknown): void {
    rhythm.beat();
    const fields = fieldsOf(data);
    if (typeof fields?.['type'] !== 'string') return;
    const frame = fields as TopicFrame;
    // Another connection begins with the newest message, which may have come on the one before.
    const isKnown = isMessage(frame) && newest?.['seq'] === frame['seq'] && newest?.ts === frame.ts;
    if (isKnown) return;
    if (isMessage(frame)) newest = frame;
    queue.put(frame);
  }
  return drain(queue, (over) => follow({ ...rhythm.told, open, queue, onMessage, signal: over }), signal);
}

/**
 * Whether what comes comes regularly. Only then silence says something where no ping is seen: another connection begins anew at the robot, and what rarely comes
 * might come in between.
 */
function rhythmOf(silentSeconds: number) {
  let lastMs = -Infinity;
  let isRegular = false;
  return {
    told: { silentSeconds, isAwaiting: () => isRegular },
    begin(): void {
      lastMs = -Infinity;
      isRegular = false;
    },
    beat(): void {
      const nowMs = performance.now();
      isRegular = nowMs - lastMs < silentSeconds * 1000;
      lastMs = nowMs;
    },
  };
}

const isMessage = ({ type }: TopicFrame) => type.includes('/');

/** In the place of messages, and of what was said of others before them. */
function gapOf(gone: readonly TopicFrame[]): TopicFrame {
  const dropped = gone.reduce((sum, frame) => sum + (isMessage(frame) ? 1 : Number(frame['dropped'] ?? 0)), 0);
  return {
    ...{ type: 'gap', ts: gone.at(-1)?.ts ?? '', level: 'warn' },
    ...{ message: `${dropped} messages skipped`, dropped, reason: 'slow_consumer' },
  };
}
