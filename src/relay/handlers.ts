import { badRequest, conflict, unauthorized } from '../kernel/errors.ts';
import { HttpError } from '../platform/http/failures.ts';
import type { UpgradeRoute } from '../platform/ws/upgrade.ts';
import type { RobotService } from '../robots/service.ts';
import type { Viewers } from '../viewers/service.ts';
import type { Relay } from './service.ts';

interface RelayParts {
  robots: Pick<RobotService, 'get'>;
  viewers: Viewers;
  relay: Relay;
}

/** The subprotocol with resize, signals and exit status; without it bytes are all there is. */
const shellProtocol = 'fleet.shell.v1';

/** `/api/robots/{id}/shell/ws`: a shell on the robot. */
export const shellRoute = ({ robots, viewers, relay }: RelayParts): UpgradeRoute => ({
  path: '/api/robots/{id}/shell/ws',
  kinds: ['user', 'org'],
  leastRole: 'operator',
  parameters: ['cols', 'rows'],
  server: viewers.server,
  async prepare({ caller, params, query, request }) {
    if (!('tokenId' in caller)) throw new Error('the judge let in a caller of another kind');
    const { orgId, tokenId } = caller;
    const parameters = { cols: sizeOf('cols', query['cols'], 80), rows: sizeOf('rows', query['rows'], 24) };
    const robot = await robots.get(orgId, params['id'] ?? '');
    if (!robot.online) throw conflict('agent offline');
    const facts = { orgId, tokenId, robotId: robot.id, leastRole: 'operator' } as const;
    const full = viewers.refusal(facts);
    if (full !== undefined) throw new HttpError(429, full, { headers: { 'Retry-After': '10' } });
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const protocol = offered.includes(shellProtocol) ? shellProtocol : undefined;
    return (socket) =>
      relay.open(socket, { ...facts, kind: 'shell', caller, requestId: undefined, protocol, parameters });
  },
});

/** `/agent/streams/{id}`: where agents dial back to. */
export const dialBackRoute = ({ relay, server }: { relay: Relay; server: UpgradeRoute['server'] }): UpgradeRoute => ({
  path: '/agent/streams/{id}',
  kinds: ['stream'],
  server,
  identify(secret, params) {
    const session = secret === undefined ? undefined : relay.find(params['id'] ?? '', secret);
    if (!session) throw gone();
    return { kind: 'stream', ...session };
  },
  prepare({ caller }) {
    const join = caller.kind === 'stream' ? relay.claim(caller.sessionId) : undefined;
    if (!join) throw gone();
    return join;
  },
});

const gone = () => unauthorized('no such session, or its secret was used');

function sizeOf(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const size = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (size < 1 || size > 1_000) throw badRequest(`query.${name}: must be 1 to 1000`);
  return size;
}
