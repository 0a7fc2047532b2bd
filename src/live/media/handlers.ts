import type { Knex } from 'knex';
import { badRequest, conflict, notFound, unauthorized } from '../../kernel/errors.ts';
import { tooManyStreams } from '../../platform/http/reply/too-many-streams.ts';
import type { Handlers } from '../../platform/http/dispatch/operation.ts';
import { socketServer } from '../../platform/ws/socket-server.ts';
import type { UpgradeRoute } from '../../platform/ws/upgrade.ts';
import type { DialBacks } from '../dial-back/service.ts';
import type { RobotService } from '../../robots/service.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { Viewers } from '../viewers/service.ts';
import { factsOf, type MediaService, type WatchRequest } from './service.ts';

interface WatchParts {
  robots: Pick<RobotService, 'get'>;
  viewers: Viewers;
  dialBacks: DialBacks;
  media: MediaService;
}

/** The requested camera or topic, given what the robot has. */
type Wanted = (query: Record<string, string>, place: LinkPlace) => Pick<WatchRequest['subject'], 'name' | 'source'>;

/** A route to a stream that many viewers share. `rate` names its rate parameter, `most` is its maximum. */
const watchRoute = (
  { robots, viewers, dialBacks, media }: WatchParts,
  kind: WatchRequest['subject']['kind'],
  {
    path,
    parameters,
    rate,
    most,
    wanted,
  }: Pick<UpgradeRoute, 'path'> & {
    parameters: readonly string[];
    rate: string;
    most: number;
    wanted: Wanted;
  },
): UpgradeRoute => ({
  path,
  kinds: ['user', 'org'],
  leastRole: 'viewer',
  parameters: [...parameters, rate],
  server: viewers.server,
  async prepare({ caller, params, query, request, requestId }) {
    if (!('tokenId' in caller)) throw new Error('the judge let in a caller of another kind');
    const { orgId, tokenId } = caller;
    const perSecond = rateOf(rate, query[rate], most);
    const robot = await robots.get(orgId, params['id'] ?? '');
    const place = await dialBacks.placeOf(orgId, robot.id);
    const subject = { orgId, robotId: robot.id, kind, ...wanted(query, place) };
    const watchRequest = { subject, rate: perSecond, tokenId, caller, requestId };
    const full = await viewers.findRefusal(factsOf(watchRequest));
    if (full) throw tooManyStreams(full);
    return (socket) => media.open(socket, request.socket, watchRequest, place);
  },
});

/** `/api/robots/{id}/camera/ws`: the pictures of a camera. */
export const cameraRoute = (parts: WatchParts): UpgradeRoute =>
  watchRoute(parts, 'camera', {
    path: '/api/robots/{id}/camera/ws',
    parameters: ['camera'],
    rate: 'fps',
    most: 60,
    wanted({ camera }, { cameras: [usual, ...others] }) {
      if (usual === undefined) throw conflict('the robot offers no camera');
      const name = camera ?? usual;
      if (name !== usual && !others.includes(name)) throw notFound(`camera ${JSON.stringify(name.slice(0, 32))}`);
      return { name, source: undefined };
    },
  });

/** `/api/robots/{id}/ros/topics/echo`: the messages of a ROS topic. */
export const topicRoute = (parts: WatchParts): UpgradeRoute =>
  watchRoute(parts, 'topic', {
    path: '/api/robots/{id}/ros/topics/echo',
    parameters: ['topic', 'source'],
    rate: 'hz',
    most: 1_000,
    wanted({ topic, source }, { hasTopics }) {
      if (topic === undefined) throw badRequest('query.topic: is required');
      if (!hasTopics) throw conflict('the robot offers no ROS topics');
      return { name: plain('topic', topic), source: source === undefined ? undefined : plain('source', source) };
    },
  });

/**
 * The route by which a replica gets a stream that another one has from an agent. It accepts only what is signed with
 * the cluster secret.
 */
export const internalWatchRoute = ({ dialBacks, media }: Pick<WatchParts, 'dialBacks' | 'media'>): UpgradeRoute => ({
  path: '/internal/watch/{id}',
  kinds: ['replica'],
  servesLinkedRobots: true,
  server: socketServer({ maxFrameBytes: 16_384 }),
  identify(grant, { id = '' }, request) {
    const facts = grant === undefined ? undefined : dialBacks.check(grant, `/internal/watch/${id}`, request);
    if (!facts) throw unauthorized('not signed by a replica of this service, or the signature has expired');
    return { kind: 'replica', sessionId: facts['session'] ?? '' };
  },
  prepare:
    ({ params, request }) =>
    (socket) =>
      media.answer(socket, request.socket, params['id'] ?? ''),
});

export const topicHandlers = (robots: (db: Knex) => Pick<RobotService, 'get'>, media: () => MediaService) =>
  ({
    async listRobotTopics({ caller, db, params }) {
      const { id } = await robots(db).get(caller.orgId, params.id);
      const { topics, nodes, isCut } = await media().listTopics(caller.orgId, id);
      return { status: 200, body: { items: topics, nodes, truncated: isCut } };
    },
  }) satisfies Pick<Handlers, 'listRobotTopics'>;

/** Names go to the robot unchanged, except what no name contains. */
function plain(name: string, text: string): string {
  if (text === '' || text.length > 256 || /\p{C}/u.test(text))
    throw badRequest(`query.${name}: must be 1 to 256 characters of plain text`);
  return text;
}

function rateOf(name: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (!(value >= 0.1 && value <= most)) throw badRequest(`query.${name}: must be 0.1 to ${most}`);
  return value;
}
