import { closeCodes, limits } from '../../../generated/protocol.js';
import { sourceFrames, validateTopicRecord, type SourceFrame, type TopicList } from '../../../generated/media.js';
import type { Check, CheckContext } from '../check.ts';
import { assertRule, NotSupported, shown } from '../rule.ts';
import { parsed } from '../served-link.ts';
import { dialledBack } from './dialled-back.ts';

const maxListBytes = limits.maxCameraFrameBytes;
const maxRecordBytes = limits.maxFrameBytes;
/** One per second: a topic without a message for this long counts as one without a publisher. */
const quietBeats = 5;

/** @throws BrokenRule if the response is not a list */
async function listed(scene: CheckContext): Promise<TopicList['topics']> {
  const stream = await dialledBack(scene, 'topics', { parameters: {} });
  const text = await scene.until(() => stream.frames[0], 'no list of topics came', limits.topicsWithinMs);
  assertRule(typeof text === 'string', 'the list of topics is a binary frame; it is to be a text');
  assertRule(Buffer.byteLength(text) <= maxListBytes, `the list of topics has ${Buffer.byteLength(text)} bytes`);
  const list = topicsIn(text);
  assertRule(list !== undefined, `no list of topics, each with a name, a type and a source: ${shown(text)}`);
  const closed = await scene.until(() => stream.closed, 'the socket stayed open after the list');
  assertRule(
    closed.code === closeCodes.ended,
    `after the list the socket was closed with ${closed.code} ${closed.reason}`,
  );
  return list;
}

function topicsIn(text: string): TopicList['topics'] | undefined {
  try {
    const { topics } = JSON.parse(text) as { topics?: unknown };
    return Array.isArray(topics) && topics.every(isTopic) ? topics : undefined;
  } catch {
    return undefined;
  }
}

const isTopic = (each: unknown): each is TopicList['topics'][number] =>
  has(each, { name: 'string', type: 'string', source: 'string' });

const has = (value: unknown, fields: Record<string, string>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(fields).every(([name, type]) => typeof Reflect.get(value, name) === type);

const isSourceFrame = (frame: { type: string }): frame is SourceFrame => Object.hasOwn(sourceFrames, frame.type);

/**
 * Returns why a frame of a topic is invalid. A type with a slash is a message, one without is a word; unknown words are
 * allowed.
 */
function faultOf(data: Buffer | string): string | undefined {
  if (typeof data !== 'string') return 'it is binary, and is to be a text';
  if (Buffer.byteLength(data) > maxRecordBytes) return `it has ${Buffer.byteLength(data)} bytes`;
  const frame = parsed(data);
  if (!frame) return `it is not JSON with a type: ${shown(data)}`;
  const isWhole = frame.type.includes('/')
    ? validateTopicRecord(frame)
    : !isSourceFrame(frame) || sourceFrames[frame.type](frame);
  return isWhole ? undefined : `it is not by its schema: ${shown(data)}`;
}

export const topicChecks: readonly Check[] = [
  {
    name: 'topics',
    rule: 'Asked for its topics it dials back, sends one list and closes with 1000',
    async run(scene) {
      await scene.linked('topics');
      await listed(scene);
    },
  },
  {
    name: 'topic',
    rule: 'A topic: each message is one text frame with its topic, type, number and time',
    async run(scene) {
      await scene.linked('topics');
      const [first] = await listed(scene);
      if (!first) throw new NotSupported('its list of topics is empty');
      const parameters = { topic: first.name, source: first.source, per_second: null };
      const stream = await dialledBack(scene, 'topic', { parameters });
      const heartbeats = () => scene.service.links.at(-1)?.framesOf('heartbeat').length ?? 0;
      const before = heartbeats();
      await scene.until(
        () => stream.frames.length > 0 || heartbeats() > before + quietBeats,
        'neither a message nor a heartbeat came',
      );
      if (stream.frames.length === 0) throw new NotSupported(`nobody published on ${shown(first.name)}`);
      const faults = stream.frames.flatMap((frame) => faultOf(frame) ?? []);
      assertRule(faults.length === 0, `a frame is none of a topic: ${faults[0]}`);
    },
  },
];
