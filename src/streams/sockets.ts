import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import proxyaddr from 'proxy-addr';
import type { Sockets } from '../platform/http/server.ts';
import { admission, tryLater } from '../platform/ws/admission.ts';
import { upgradeJudge, type UpgradeSettings } from '../platform/ws/upgrade.ts';
import { defaultLimits, type LinkLimits } from './model.ts';
import type { LinkService } from './service.ts';

interface SocketSettings {
  links: LinkService;
  authenticate: UpgradeSettings['authenticate'];
  trustProxy: (address: string, hop: number) => boolean;
  limits?: Pick<Partial<LinkLimits>, 'admitPerSecond'>;
}

/** The WebSockets of the service: who may open one, and what becomes of it. */
export function agentSockets({ links, authenticate, trustProxy, limits = {} }: SocketSettings): Sockets {
  let stopping = false;
  const admitted = admission(limits.admitPerSecond ?? defaultLimits.admitPerSecond);
  const routes: UpgradeSettings['routes'] = new Map([
    [
      '/agent/ws',
      {
        kinds: ['robot'],
        server: links.server,
        admit() {
          if (!links.available) throw tryLater('the database is away, try again');
          const retryWithinSeconds = admitted.admit();
          if (retryWithinSeconds !== undefined)
            throw tryLater('too many agents connect at once, try again', retryWithinSeconds);
        },
        accept(socket: WebSocket, caller, request: IncomingMessage) {
          if (caller.kind !== 'robot') throw new Error('the judge let in a caller of another kind');
          links.open(socket, caller, proxyaddr(request, trustProxy));
        },
      },
    ],
  ]);
  return {
    takes: (path) => routes.has(path),
    upgrade: upgradeJudge({ routes, authenticate, stopping: () => stopping }),
    refuse: () => void (stopping = true),
    async drain() {
      admitted.stop();
      await links.stop();
    },
  };
}
