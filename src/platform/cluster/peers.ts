import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { closeTimeoutMs } from '../ws/socket-server.ts';
import { clusterGrants, type GrantClaims } from './grants.ts';

/** Address of another replica. */
export interface Peer {
  replicaId: string;
  url: string;
}

interface PeerSettings {
  replicaId: string; // of this replica
  secrets: readonly string[]; // of the cluster; the first one signs
  log: Logger;
  nowMs: () => number; // of a clock that all replicas share
}

/** The largest frame of any stream: a camera image. */
const maxFrameBytes = 917_504;
/** Response timeout of another replica: less than the upgrade decider allows its client. */
const answerWithinMs = 3_000;

/** Minimum time between two log messages about a wrong secret, on each side. */
const tellEveryMs = 60_000;

export type Peers = ReturnType<typeof createPeers>;

/** The other replicas: opens WebSockets to them, and authenticates theirs. */
export function createPeers({ replicaId, secrets, log, nowMs }: PeerSettings) {
  const grants = clusterGrants(replicaId, secrets, nowMs);
  const warnOfCall = rarely((from: string | undefined) =>
    log.warn(
      { from },
      'a request of another replica was rejected: it is signed with a different SERVICE_CLUSTER_SECRET',
    ),
  );
  const warnOfRefusal = rarely(({ replicaId: replica, url }: Peer) =>
    log.warn(
      { replica, url },
      'another replica rejects the requests of this one: its SERVICE_CLUSTER_SECRET differs, or one of them is 0.1.0 and its clock is more than 30 s off',
    ),
  );
  return {
    /** The facts that another replica signed for this path; undefined if the grant is invalid. */
    check(grant: string, path: string, { socket }: IncomingMessage): GrantClaims | undefined {
      if (grants.isForeign(grant)) warnOfCall(socket.remoteAddress);
      return grants.check(grant, path);
    },

    /** Starts to open a WebSocket to `path` on the peer; the caller handles its errors. */
    dial(peer: Peer, path: string, facts: GrantClaims): WebSocket {
      return new WebSocket(`${peer.url.replace(/^http/, 'ws')}${path}`, {
        headers: { Authorization: `Bearer ${grants.sign(peer.replicaId, path, facts)}` },
        handshakeTimeout: answerWithinMs,
        perMessageDeflate: false,
        maxPayload: maxFrameBytes,
        followRedirects: false,
        finishRequest(request) {
          // If the facts contain a stream secret, 401 may refer to that secret.
          request.on('response', ({ statusCode }) => {
            if (statusCode === 401 && facts['secret'] === undefined) warnOfRefusal(peer);
          });
          request.end();
        },
        ...{ closeTimeout: closeTimeoutMs }, // missing in the types
      });
    },
  };
}

/** Rate limits `tell`: items within a minute of the last call are dropped. */
function rarely<Item>(tell: (item: Item) => void): (item: Item) => void {
  let lastMs = -Infinity;
  return (item) => {
    if (performance.now() - lastMs < tellEveryMs) return;
    lastMs = performance.now();
    tell(item);
  };
}
