import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { Unavailable } from '../../kernel/errors.ts';
import type { Peer, Peers } from '../../platform/cluster/peers.ts';
import { keepAlive, type KeepAliveTimes } from '../../platform/ws/keep-alive.ts';
import { closeAfterAll, closeForNext, closeNow, endAfterRobot } from './close-codes.ts';
import { hasLargeFrames, type AuthenticatedDialBack } from './model.ts';
import { pipe } from './pipe.ts';

interface ReplicaProxySettings {
  peers: Peers;
  liveness: KeepAliveTimes;
}

/** Response header of the replica that waits for a stream. */
export const kindHeader = 'x-stream-kind';

const unreachable = (cause?: unknown) =>
  new Unavailable('the replica that waits for this stream does not respond, try again', {
    retryAfterSeconds: 1,
    cause,
  });

/**
 * Dial-backs that arrive here for a viewer of another replica. That replica checks the secret, and one WebSocket joins
 * both.
 */
export function replicaProxy({ peers, liveness }: ReplicaProxySettings) {
  const open = new Map<WebSocket, WebSocket | undefined>(); // to other replicas, with the robot's once it is joined

  /** Each end is closed as soon as the other one is. */
  function join(peer: WebSocket, robot: WebSocket, kind: string): void {
    open.set(peer, robot);
    for (const socket of [peer, robot]) keepAlive(socket, liveness);
    pipe(peer, robot);
    peer.resume();
    endAfterRobot(peer, robot, hasLargeFrames(kind) ? limits.maxCameraFrameBytes : limits.maxFrameBytes);
    const onGone = (code: number, reason: Buffer) => closeAfterAll(robot, closeForNext(code, reason));
    peer.on('close', onGone);
    if (peer.readyState === peer.CLOSED) onGone(closeCodes.restarting, Buffer.from('the stream has ended'));
  }

  return {
    /** Sends the secret to the replica that holds the session; undefined if it is invalid there. @throws Unavailable */
    async reach(to: Peer, sessionId: string, secret: string): Promise<AuthenticatedDialBack | undefined> {
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

/**
 * The org and kind of a session, once the other replica accepted. The socket is paused from then on. Undefined if that
 * replica refused the secret.
 */
function answerOf(peer: WebSocket): Promise<Pick<AuthenticatedDialBack, 'orgId' | 'kind'> | undefined> {
  return new Promise((resolve, reject) => {
    let headers: IncomingMessage['headers'] = {};
    peer.on('upgrade', (response) => (headers = response.headers));
    peer.on('open', () => {
      peer.pause(); // no listener yet
      // A replica of an earlier version only has shells, and sends no kind.
      const kind = (headers[kindHeader] ?? 'shell') as AuthenticatedDialBack['kind'];
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
