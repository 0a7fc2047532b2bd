import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { conflict, Unavailable } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { closeNow, type DialBacks } from '../dial-back/service.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { TopicList } from './model.ts';

const unavailable = (message: string) => new Unavailable(message, { retryAfterSeconds: 1 });

/** Asks agents for their topics. Concurrent requests for the same robot share one response. */
export function createTopicLists(dialBacks: DialBacks, log: Logger) {
  const asked = new Map<string, Promise<TopicList>>(); // by robot

  /**
   * @throws conflict if the robot is offline, has no ROS or sends an invalid list, Unavailable if its agent does not
   * respond
   */
  return async (orgId: string, robotId: string): Promise<TopicList> => {
    const place = await dialBacks.placeOf(orgId, robotId);
    if (!place.hasTopics) throw conflict('the robot offers no ROS topics');
    const under = asked.get(robotId);
    if (under) return under;
    const answer = ask(dialBacks, log, place, orgId, robotId).finally(() => asked.delete(robotId));
    asked.set(robotId, answer);
    return answer;
  };
}

function ask(dialBacks: DialBacks, log: Logger, place: LinkPlace, orgId: string, robotId: string): Promise<TopicList> {
  return new Promise((resolve, reject) => {
    let robot: WebSocket | undefined;
    const late = setTimeout(() => {
      cancel();
      if (robot) closeNow(robot, [closeCodes.ended, 'too late']);
      reject(unavailable('the agent did not list its topics in time'));
    }, limits.topicsWithinMs);
    const request = { sessionId: newId(), orgId, robotId, kind: 'topics', parameters: {} } as const;
    const cancel = dialBacks.begin(place, request, {
      joined(socket) {
        robot = socket;
        socket.once('message', (data: Buffer, isBinary) => {
          clearTimeout(late);
          closeNow(socket, [closeCodes.ended, '']);
          const list = isBinary ? undefined : readList(data);
          if (list) return resolve(list);
          log.warn({ orgId, robotId }, 'an agent sent an invalid list of topics');
          reject(conflict('the agent sent an invalid list of topics'));
        });
        socket.on('close', (_code, reason) => {
          clearTimeout(late);
          reject(unavailable(reason.length > 0 ? reason.toString() : 'the agent sent no list of topics'));
        });
      },
      failed(code, reason) {
        clearTimeout(late);
        const text = reason.toString();
        reject(code === closeCodes.forbidden ? conflict(text) : unavailable(text));
      },
    });
  });
}

/** The valid parts of a list of topics; undefined if it is none. */
function readList(data: Buffer): TopicList | undefined {
  let value: { topics?: unknown; nodes?: unknown; truncated?: unknown } | null;
  try {
    value = JSON.parse(data.toString()) as typeof value;
  } catch {
    return undefined;
  }
  if (!Array.isArray(value?.topics)) return undefined;
  const topics = (value.topics as unknown[]).filter(isTopic).map(({ name, type, source }) => ({ name, type, source }));
  const nodes = Array.isArray(value.nodes) ? (value.nodes as unknown[]).filter((node) => typeof node === 'string') : [];
  return { topics: topics.sort(byNameThenSource), nodes: nodes.sort(), isCut: value.truncated === true };
}

type Topic = TopicList['topics'][number];

const isTopic = (value: unknown): value is Topic =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'type', 'source'].every((field) => typeof (value as Record<string, unknown>)[field] === 'string');

const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
const byNameThenSource = (one: Topic, other: Topic) => order(one.name, other.name) || order(one.source, other.source);
