import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { closeTimeoutMs } from '../ws/socket-server.ts';
import { clusterGrants, type Facts } from './grants.ts';

/** Where another replica is reached. */
export interface Peer {
  replicaId: string;
  url: string;
}

interface PeerSettings {
  replicaId: string; // our own
  secrets: readonly string[]; // of the cluster; the first signs
  log: Logger;
}

/** No stream has larger frames: a picture of a camera. */
const maxFrameBytes = 917_504;
/** How long another replica may take to answer: less than the judge of upgrades gives to who waits for it. */
const answerWithinMs = 3_000;

/** A wrong secret is told this often at most, at each side. */
const tellEveryMs = 60_000;

export type Peers = ReturnType<typeof createPeers>;

/** The other replicas, to which this one opens WebSockets, and what lets theirs in. */
export function createPeers({ replicaId, secrets, log }: PeerSettings) {
  const grants = clusterGrants(replicaId, secrets);
  const warnOfCall = rarely((from: string | undefined) =>
    log.warn({ from }, 'a call of another replica was refused: it is signed with a different SERVICE_CLUSTER_SECRET'),
  );
  const warnOfRefusal = rarely(({ replicaId: replica, url }: Peer) =>
    log.warn(
      { replica, url },
      'another replica refuses the calls of this one: SERVICE_CLUSTER_SECRET differs there, or its clock does by more than 30 s',
    ),
  );
  return {
    /** What another replica signed for this path; undefined where it is not good. */
    check(grant: string, path: string, { socket }: IncomingMessage): Facts | undefined {
      if (grants.isForeign(grant)) warnOfCall(socket.remoteAddress);
      return grants.check(grant, path);
    },

    /** Begins to open a WebSocket to `path` there; its errors are the caller's. */
    dial(peer: Peer, path: string, facts: Facts): WebSocket {
      return new WebSocket(`${peer.url.replace(/^http/, 'ws')}${path}`, {
        headers: { Authorization: `Bearer ${grants.sign(peer.replicaId, path, facts)}` },
        handshakeTimeout: answerWithinMs,
        perMessageDeflate: false,
        maxPayload: maxFrameBytes,
        followRedirects: false,
        finishRequest(request) {
          // With a secret of a stream in it, 401 may stand for that one.
          request.on('response', ({ statusCode }) => {
            if (statusCode === 401 && facts['secret'] === undefined) warnOfRefusal(peer);
          });
          request.end();
        },
        ...{ closeTimeout: closeTimeoutMs }, // unknown to the types
      });
    },
  };
}

/** Calls `tell` now and then: what comes within a minute after a call is left out. */
function rarely<Item>(tell: (item: Item) => void): (item: Item) => void {
  let lastMs = -Infinity;
  return (item) => {
    if (performance.now() - lastMs < tellEveryMs) return;
    lastMs = performance.now();
    tell(item);
  };
}
