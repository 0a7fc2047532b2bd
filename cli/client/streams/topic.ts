import { drain } from './drain.ts';
import { follow, type FollowOptions } from './follow.ts';
import { fieldsOf, textOf } from './frames.ts';
import { queueOf } from './queue.ts';
import { rhythmOf } from './rhythm.ts';
import type { StreamConnector } from './stream-connector.ts';

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

interface TopicFollow extends FollowOptions {
  query: { hz?: number | undefined; source?: string | undefined };
  /** Where it gives a promise, no more is read until that resolves. `text`: the frame as it came. */
  onFrame(frame: TopicFrame, text: string): Promise<void> | undefined;
}

/** What is published on a ROS topic, over every loss of the connection; see `follow`. */
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
      // Another connection begins with the newest message, which may have come on the one before.
      const isKnown = isMessage(frame) && newest?.['seq'] === frame['seq'] && newest?.ts === frame.ts;
      if (isKnown) return undefined;
      if (isMessage(frame)) newest = frame;
      return onFrame(frame, text);
    },
  });
}

/** A message, and not a word about the topic: its type has a slash. */
export const isMessage = ({ type }: Pick<TopicFrame, 'type'>) => type.includes('/');

/** A reader who is so many messages behind loses the oldest, and is told in their place. */
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

/** In the place of messages, and of what was said of others before them. */
function gapOf(gone: readonly TopicFrame[]): TopicFrame {
  const dropped = gone.reduce((sum, frame) => sum + (isMessage(frame) ? 1 : Number(frame['dropped'] ?? 0)), 0);
  return {
    ...{ type: 'gap', ts: gone.at(-1)?.ts ?? '', level: 'warn' },
    ...{ message: `${dropped} messages skipped`, dropped, reason: 'slow_consumer' },
  };
}
