import { drain } from './drain.ts';
import { follow, type FollowOptions } from './follow.ts';
import { fieldsOf, textOf } from './frames.ts';
import { queueOf } from './queue.ts';
import { rhythmOf } from './rhythm.ts';
import type { StreamConnector } from './stream-connector.ts';

export interface TopicOptions {
  /** Maximum messages per second. Default: all. */
  hz?: number;
  /** The ROS graph, if the robot has several with the topic. */
  source?: string;
  signal?: AbortSignal;
}

/**
 * A message of a topic (its type has a slash), the number of dropped ones (`gap`), or information for people
 * (`status`).
 */
export interface TopicFrame {
  type: string;
  ts: string;
  [field: string]: unknown;
}

interface TopicFollow extends FollowOptions {
  query: { hz?: number | undefined; source?: string | undefined };
  /** If it returns a promise, reading pauses until that resolves. `text`: the frame as received. */
  onFrame(frame: TopicFrame, text: string): Promise<void> | undefined;
}

/** The messages of a ROS topic, across disconnects; see `follow`. */
export function followTopic(
  connector: StreamConnector,
  robotId: string,
  name: string,
  { query, onFrame, ...options }: TopicFollow,
): Promise<void> {
  const rhythm = rhythmOf(connector.silentSeconds);
  let newest: TopicFrame | undefined;
  return follow({
    ...options,
    silentSeconds: connector.silentSeconds,
    isAwaiting: rhythm.isRegular,
    open() {
      rhythm.begin();
      return connector.open(robotId, 'topic', { topic: name, ...query });
    },
    onMessage(data) {
      rhythm.beat();
      const text = textOf(data);
      const fields = fieldsOf(text);
      if (typeof fields?.['type'] !== 'string') return undefined;
      const frame = fields as TopicFrame;
      // A new connection begins with the newest message, which the previous one may have delivered.
      const isKnown = isMessage(frame) && newest?.['seq'] === frame['seq'] && newest?.ts === frame.ts;
      if (isKnown) return undefined;
      if (isMessage(frame)) newest = frame;
      return onFrame(frame, text);
    },
  });
}

/** True for a message, whose type has a slash. */
export const isMessage = ({ type }: Pick<TopicFrame, 'type'>) => type.includes('/');

/** A reader this many messages behind loses the oldest; a gap frame replaces them. */
const maxWaiting = 1_000;

/** The same, frame by frame. */
export function topic(
  connector: StreamConnector,
  robotId: string,
  name: string,
  { signal, ...query }: TopicOptions = {},
): AsyncGenerator<TopicFrame, void> {
  const queue = queueOf<TopicFrame>({ most: maxWaiting, gapOf });
  function onFrame(frame: TopicFrame): undefined {
    queue.put(frame);
  }
  return drain(queue, (over) => followTopic(connector, robotId, name, { query, onFrame, signal: over }), signal);
}

/** Replaces dropped messages, and earlier gaps among them. */
function gapOf(gone: readonly TopicFrame[]): TopicFrame {
  const dropped = gone.reduce((sum, frame) => sum + (isMessage(frame) ? 1 : Number(frame['dropped'] ?? 0)), 0);
  return {
    type: 'gap',
    ts: gone.at(-1)?.ts ?? '',
    level: 'warn',
    message: `${dropped} messages skipped`,
    dropped,
    reason: 'slow_consumer',
  };
}
