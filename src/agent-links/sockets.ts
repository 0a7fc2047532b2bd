import proxyaddr from 'proxy-addr';
import type { UpgradeHandler } from '../platform/http/listener/server.ts';
import { admission, tryLater } from '../platform/ws/admission.ts';
import { findRoute, upgradeDecider, type UpgradeRoute, type UpgradeSettings } from '../platform/ws/upgrade.ts';
import { defaultLimits, type LinkLimits } from './model.ts';
import type { LinkService } from './service.ts';

/** The path of agent links. */
export const linkPath = '/agent/ws';

interface SocketSettings {
  links: LinkService;
  /** Routes of live streams: for viewers, dial-backs and replicas. */
  streams: readonly UpgradeRoute[];
  /** Ends all live streams. */
  closeStreams(): Promise<void>;
  authenticate: UpgradeSettings['authenticate'];
  countRead: UpgradeSettings['countRead'];
  noteCaller: UpgradeSettings['noteCaller'];
  trustProxy: (address: string, hop: number) => boolean;
  limits?: Pick<Partial<LinkLimits>, 'admitPerSecond'>;
}

/** The WebSocket routes of the service: admission, upgrade and shutdown. */
export function createSockets({
  links,
  streams,
  closeStreams,
  authenticate,
  countRead,
  noteCaller,
  trustProxy,
  limits = {},
}: SocketSettings): UpgradeHandler {
  let state: 'open' | 'notice' | 'draining' = 'open';
  const admitted = admission(limits.admitPerSecond ?? defaultLimits.admitPerSecond);
  const agents: UpgradeRoute = {
    path: linkPath,
    kinds: ['robot'],
    server: links.server,
    admit() {
      if (!links.available) throw tryLater('the database is not reachable, try again');
      const retryWithinSeconds = admitted.admit();
      if (retryWithinSeconds !== undefined)
        throw tryLater('too many agents are connecting at once, try again', retryWithinSeconds);
    },
    prepare({ caller, request }) {
      if (caller.kind !== 'robot') throw new Error('the judge let in a caller of another kind');
      return (socket) => links.open(socket, caller, proxyaddr(request, trustProxy));
    },
  };
  const routes = [agents, ...streams];
  // Routes that serve robots linked here stay open until the links are drained: a stream requested in that time
  // outlives this replica.
  const stopping = (route: UpgradeRoute | undefined) =>
    state === 'draining' || (state === 'notice' && route?.servesLinkedRobots !== true);
  return {
    takes: (path) => findRoute(routes, path).route !== undefined,
    upgrade: upgradeDecider({ routes, authenticate, countRead, noteCaller, stopping }),
    refuse: () => void (state = 'notice'),
    async drain() {
      state = 'draining';
      admitted.stop();
      await Promise.all([closeStreams(), links.stop()]);
    },
  };
}
