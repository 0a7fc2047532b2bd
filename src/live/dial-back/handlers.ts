import type { IncomingMessage } from 'node:http';
import { limits } from '../../../generated/protocol.js';
import { badRequest, conflict, unauthorized } from '../../kernel/errors.ts';
import { tokenKindOf } from '../../kernel/tokens.ts';
import type { OrgService } from '../../orgs/service.ts';
import { tooManyStreams } from '../../platform/http/reply/too-many-streams.ts';
import { socketServer } from '../../platform/ws/socket-server.ts';
import type { UpgradeRoute } from '../../platform/ws/upgrade.ts';
import type { RobotService } from '../../robots/service.ts';
import { maxFrameBytes, type Viewers } from '../viewers/service.ts';
import { kindHeader } from './replica-proxy.ts';
import { hasLargeFrames } from './model.ts';
import type { AuthenticatedDialBack, DialBacks, ShellService } from './service.ts';

interface ShellParts {
  robots: Pick<RobotService, 'get'>;
  orgs: Pick<OrgService, 'get'>;
  viewers: Viewers;
  dialBacks: DialBacks;
  shells: ShellService;
}

/** The subprotocol with resize, signals and exit status. Without it, there are only raw bytes. */
const shellProtocol = 'fleet.shell.v1';

/** `/api/robots/{id}/shell/ws`: a shell on the robot. */
export const shellRoute = ({ robots, orgs, viewers, dialBacks, shells }: ShellParts): UpgradeRoute => ({
  path: '/api/robots/{id}/shell/ws',
  kinds: ['user', 'org'],
  leastRole: 'operator',
  parameters: ['cols', 'rows'],
  server: socketServer({ maxFrameBytes, protocols: [shellProtocol] }),
  async prepare({ caller, params, query, request, requestId }) {
    if (!('tokenId' in caller)) throw new Error('the judge let in a caller of another kind');
    const { orgId, tokenId } = caller;
    const parameters = { cols: sizeOf('cols', query['cols'], 80), rows: sizeOf('rows', query['rows'], 24) };
    const robot = await robots.get(orgId, params['id'] ?? '');
    const place = await dialBacks.placeOf(orgId, robot.id);
    if (!place.opensShells) throw conflict('shells are off on this robot');
    const facts = { kind: 'shell', orgId, tokenId, robotId: robot.id, leastRole: 'operator' } as const;
    const full = await viewers.findRefusal(facts);
    if (full) throw tooManyStreams(full);
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const protocol = offered.includes(shellProtocol) ? shellProtocol : undefined;
    const { recordShells: recorded } = await orgs.get(orgId);
    const shellRequest = { ...facts, caller, requestId, protocol, recorded, parameters } as const;
    return (socket) => shells.open(socket, shellRequest, place);
  },
});

/** `/agent/streams/{replica}/{id}`: where agents dial back. */
export function dialBackRoute(dialBacks: DialBacks): UpgradeRoute {
  const arrivals = arriving();
  const large = socketServer({ maxFrameBytes: limits.maxCameraFrameBytes });
  return {
    path: '/agent/streams/{replica}/{id}',
    kinds: ['stream'],
    servesLinkedRobots: true,
    server: socketServer({ maxFrameBytes: limits.maxFrameBytes, protocols: [shellProtocol] }),
    async identify(secret, params, request) {
      if (secret === undefined || tokenKindOf(secret) !== undefined) return undefined;
      const arrival = await dialBacks.findAnywhere(params['replica'] ?? '', params['id'] ?? '', secret);
      return arrivals.note(request, arrival);
    },
    serverOf: (request) => (hasLargeFrames(arrivals.kindOf(request)) ? large : undefined),
    prepare: ({ request }) => arrivals.take(request),
  };
}

/** Routes for other replicas. They accept only what is signed with the cluster secret. */
export function internalRoutes(dialBacks: DialBacks): UpgradeRoute[] {
  const arrivals = arriving();
  const facts = (grant: string | undefined, path: string, request: IncomingMessage) => {
    const found = grant === undefined ? undefined : dialBacks.check(grant, path, request);
    if (!found) throw unauthorized('not signed by a replica of this service, or the signature has expired');
    return found;
  };
  return [
    {
      path: '/internal/asks/{id}',
      kinds: ['replica'],
      servesLinkedRobots: true,
      server: socketServer({ maxFrameBytes: 16_384 }),
      identify: (grant, { id = '' }, request) => ({
        kind: 'replica',
        sessionId: facts(grant, `/internal/asks/${id}`, request)['session'] ?? '',
      }),
      prepare({ caller, params }) {
        if (caller.kind !== 'replica') throw new Error('the judge let in a caller of another kind');
        return (socket) => dialBacks.answer(socket, params['id'] ?? '', caller.sessionId);
      },
    },
    {
      path: '/internal/streams/{id}',
      kinds: ['stream'],
      servesLinkedRobots: true,
      // The replica that received the dial-back has already applied the limit of its kind.
      server: socketServer({ maxFrameBytes: limits.maxCameraFrameBytes }),
      identify(grant, { id = '' }, request) {
        const { secret = '' } = facts(grant, `/internal/streams/${id}`, request);
        return arrivals.note(request, dialBacks.find(id, secret));
      },
      prepare({ request, headers }) {
        headers[kindHeader] = arrivals.kindOf(request);
        return arrivals.take(request);
      },
    },
  ];
}

/** Keeps the session of each dial-back from authentication to upgrade. */
function arriving() {
  const found = new WeakMap<IncomingMessage, AuthenticatedDialBack>();
  const gone = () => unauthorized('the session does not exist, or its secret was already used');
  return {
    note(request: IncomingMessage, arrival: AuthenticatedDialBack | undefined) {
      if (!arrival) throw gone();
      found.set(request, arrival);
      request.socket.once('close', arrival.drop);
      if (request.socket.destroyed) arrival.drop();
      return { kind: 'stream', orgId: arrival.orgId, sessionId: arrival.sessionId } as const;
    },
    kindOf: (request: IncomingMessage): string => found.get(request)?.kind ?? '',
    take(request: IncomingMessage) {
      const arrival = found.get(request);
      const join = arrival?.claim();
      if (!arrival || !join) throw gone();
      return (socket: Parameters<typeof join>[0]) => {
        request.socket.off('close', arrival.drop);
        join(socket);
      };
    },
  };
}

function sizeOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > 1_000) throw badRequest(`query.${name}: must be 1 to 1000`);
  return size;
}
