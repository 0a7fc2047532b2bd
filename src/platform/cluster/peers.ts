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
}

/** No stream has larger frames: a picture of a camera. */
const maxFrameBytes = 917_504;
/** How long another replica may take to answer: less than the judge of upgrades gives to who waits for it. */
const answerWithinMs = 3_000;

export type Peers = ReturnType<typeof createPeers>;

/** The other replicas, to which this one opens WebSockets, and what lets theirs in. */
export function createPeers({ replicaId, secrets }: PeerSettings) {
  const grants = clusterGrants(replicaId, secrets);
  return {
    check: grants.check,

    /** Begins to open a WebSocket to `path` there; its errors are the caller's. */
    dial(peer: Peer, path: string, facts: Facts): WebSocket {
      return new WebSocket(`${peer.url.replace(/^http/, 'ws')}${path}`, {
        headers: { Authorization: `Bearer ${grants.sign(peer.replicaId, path, facts)}` },
        handshakeTimeout: answerWithinMs,
        perMessageDeflate: false,
        maxPayload: maxFrameBytes,
        followRedirects: false,
        ...{ closeTimeout: closeTimeoutMs }, // unknown to the types
      });
    },
  };
}
