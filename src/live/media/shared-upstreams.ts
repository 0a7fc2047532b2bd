import type { WebSocket } from 'ws';
import { closeCodes, limits } from '../../../generated/protocol.js';
import { newId } from '../../kernel/ids.ts';
import type { Peer, Peers } from '../../platform/cluster/peers.ts';
import { keepAlive, type KeepAliveTimes } from '../../platform/ws/keep-alive.ts';
import { closeForNext, closeNow, closeOfSource, type DialBacks } from '../dial-back/service.ts';
import { readUpstream } from './read-upstream.ts';
import type { Rate, StreamKey, WatchedKind } from './model.ts';
import type { BeginUpstream, UpstreamListener } from './stream.ts';

const rateText = (rate: Rate) => JSON.stringify({ type: 'rate', per_second: rate });

/** Receives items of a socket until it closes, or breaks the contract. */
function listen(socket: WebSocket, kind: WatchedKind, on: UpstreamListener): void {
  readUpstream(kind, socket, {
    item: on.item,
    fault(reason) {
      closeNow(socket, [closeCodes.policy, reason]);
      on.ended(closeCodes.policy, reason);
    },
  });
}

/** From an agent linked here: one socket that it dials back. */
export const fromAgent =
  (dialBacks: DialBacks, { orgId, robotId, kind, name, source }: StreamKey): BeginUpstream =>
  (firstRate, on) => {
    let rate = firstRate;
    let robot: WebSocket | undefined;
    const what = kind === 'camera' ? { camera: name } : { topic: name, ...(source !== undefined && { source }) };
    const request = { sessionId: newId(), orgId, robotId, kind, parameters: { ...what, per_second: firstRate } };
    const cancel = dialBacks.begin({ replicaId: dialBacks.replicaId, url: undefined }, request, {
      joined(socket) {
        robot = socket;
        const maxFrameBytes = kind === 'camera' ? limits.maxCameraFrameBytes : limits.maxFrameBytes;
        closeOfSource(socket, ([code, reason]) => on.ended(code, reason), maxFrameBytes);
        listen(socket, kind, on);
        if (rate !== firstRate) socket.send(rateText(rate));
        on.opened();
      },
      failed: on.ended,
    });
    return {
      setRate(to) {
        rate = to;
        if (robot?.readyState === robot?.OPEN) robot?.send(rateText(to));
      },
      close() {
        cancel();
        if (robot) closeNow(robot, [closeCodes.ended, '']);
      },
    };
  };

/**
 * The first frame of a replica that requests a stream from another one; `rate` frames follow. It receives `opened`,
 * then what an agent would send.
 */
export interface WatchFrame {
  type: 'watch';
  org_id: string;
  kind: WatchedKind;
  name: string;
  source?: string | undefined;
  per_second: Rate;
}

/** From the replica that holds the robot's link, where this replica is one more reader. */
export const fromReplica =
  (
    { peers, liveness }: { peers: Peers; liveness: KeepAliveTimes },
    to: Peer,
    { orgId, robotId, kind, name, source }: StreamKey,
  ): BeginUpstream =>
  (firstRate, on) => {
    let rate = firstRate;
    let isOpen = false;
    const socket = peers.dial(to, `/internal/watch/${robotId}`, { session: newId() });
    socket.on('open', () => {
      isOpen = true;
      keepAlive(socket, liveness);
      const frame: WatchFrame = { type: 'watch', org_id: orgId, kind, name, source, per_second: rate };
      socket.send(JSON.stringify(frame));
    });
    socket.once('message', () => {
      listen(socket, kind, on);
      on.opened();
    });
    socket.on('error', () => undefined); // its close follows
    socket.on('close', (code, reason) => {
      if (isOpen) on.ended(...closeForNext(code, reason));
      else on.ended(closeCodes.tryLater, 'the replica that holds the link of the robot does not respond');
    });
    return {
      setRate(to) {
        rate = to;
        if (isOpen && socket.readyState === socket.OPEN) socket.send(rateText(to));
      },
      close: () => (isOpen ? closeNow(socket, [closeCodes.ended, '']) : socket.terminate()),
    };
  };
