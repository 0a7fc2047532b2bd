import { drain, follow } from './follow.ts';
import { queueOf } from './queue.ts';
import { bytesOf, textOf, type Door } from './door.ts';

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

/** A reader who is so many messages behind loses the oldest, and is told. */
const maxWaiting = 1_000;

/** What a camera sees, one whole JPEG each. Who is slow gets the newest picture, and not older ones. */
export function camera(
  door: Door,
  robotId: string,
  { signal, ...query }: CameraOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const queue = queueOf<Uint8Array>(1);
  const open = () => door.open(robotId, 'camera', 'camera/ws', query);
  const onMessage = (data: unknown) => queue.put(bytesOf(data));
  return drain(queue, (over) => follow({ open, queue, onMessage, signal: over }), signal);
}

/** What is published on a ROS topic, as JSON. */
export function topic(
  door: Door,
  robotId: string,
  name: string,
  { signal, ...query }: TopicOptions = {},
): AsyncGenerator<TopicFrame, void> {
  const queue = queueOf<TopicFrame>();
  let dropped = 0;
  const open = () => door.open(robotId, 'topic', 'ros/topics/echo', { topic: name, ...query });
  function onMessage(data: unknown): void {
    if (queue.size >= maxWaiting) {
      dropped += 1;
      return;
    }
    if (dropped > 0) queue.put(gapOf(dropped));
    dropped = 0;
    queue.put(JSON.parse(textOf(data)) as TopicFrame);
  }
  return drain(queue, (over) => follow({ open, queue, onMessage, signal: over }), signal);
}

const gapOf = (dropped: number): TopicFrame => ({
  ...{ type: 'gap', ts: new Date().toISOString(), level: 'warn' },
  ...{ message: `${dropped} messages skipped`, dropped, reason: 'slow_consumer' },
});
