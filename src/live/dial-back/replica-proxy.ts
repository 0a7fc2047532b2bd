import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { Unavailable } from '../../kernel/errors.ts';
import type { Peer, Peers } from '../../platform/cluster/peers.ts';
import { keepAlive, type Liveness } from '../../platform/ws/keep-alive.ts';
import { closeAfterAll, closeForNext, closeNow, endAfterRobot } from './close-codes.ts';
import { hasLargeFrames, type Arrival } from './model.ts';
import { pipe } from './pipe.ts';

interface ReplicaProxySettings {
  peers: Peers;
  liveness: Liveness;
}

/** In the answer of the replica that waits for a stream. */
export const kindHeader = 'x-stream-kind';

const unreachable = (cause?: unknown) =>
  new Unavailable('the replica that waits for this stream does not answer, try again', { retryAfterSeconds: 1, cause });

/** Dial-backs that came here for a viewer of another replica: shown there, and joined with it by one WebSocket. */
export function replicaProxy({ peers, liveness }: ReplicaProxySettings) {
  const open = new Map<WebSocket, WebSocket | undefined>(); // to other replicas, with the robot's once it is joined

  /** Both ends are told at once what became of the other. */
  function join(peer: WebSocket, robot: WebSocket, kind: string): void {
    open.set(peer, robot);
    for (const socket of [peer, robot]) keepAlive(socket, liveness);
    pipe(peer, robot);
    peer.resume();
    endAfterRobot(peer, robot, hasLargeFrames(kind) ? limits.maxCameraFrameBytes : limits.maxFrameBytes);
    const onGone = (code: number, reason: Buffer) => closeAfterAll(robot, closeForNext(code, reason));
    peer.on('close', onGone);
    if (peer.readyState === peer.CLOSED) onGone(closeCodes.restarting, Buffer.from('the stream is over'));
  }

  return {
    /** Shows the secret to the replica that holds the session; undefined where it is no good there. @throws Unavailable */
    async reach(to: Peer, sessionId: string, secret: string): Promise<Arrival | undefined> {
      const peer = peers.dial(to, `/internal/streams/${sessionId}`, { secret });
      open.set(peer, undefined);
      peer.on('close', () => open.delete(peer));
      const answer = await answerOf(peer);
      if (answer === undefined) return undefined;
      return {
        ...answer,
        sessionId,
        claim: () => (robot) => join(peer, robot, answer.kind),
        drop: () => peer.terminate(),
      };
    },

    stop(): void {
      for (const pair of open)
        for (const socket of pair) if (socket) closeNow(socket, [closeCodes.restarting, 'the service is stopping']);
    },
  };
}

/** Whom the session is of, and of what kind it is, once the other replica let us in; from then on the socket is paused. Undefined where it refused the secret. */
function answerOf(peer: WebSocket): Promise<Pick<Arrival, 'orgId' | 'kind'> | undefined> {
  return new Promise((resolve, reject) => {
    let headers: IncomingMessage['headers'] = {};
    peer.on('upgrade', (response) => (headers = response.headers));
    peer.on('open', () => {
      peer.pause(); // nobody listens yet
      // A replica of an earlier version has shells only, and names no kind.
      const kind = (headers[kindHeader] ?? 'shell') as Arrival['kind'];
      resolve({ orgId: String(headers['x-service-org-id']), kind });
    });
    peer.on('unexpected-response', (_request, response) => {
      response.resume();
      peer.terminate();
      if (response.statusCode === 401) resolve(undefined);
      else reject(unreachable());
    });
    peer.on('error', (error) => reject(unreachable(error)));
  });
}
