import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import { newId } from '../../kernel/ids.ts';
import type { Peers } from '../../platform/cluster/peers.ts';
import { keepAlive } from '../../platform/ws/keep-alive.ts';
import { outletOf } from '../../platform/ws/outlet.ts';
import { closeNow, type DialBacks, type StreamNotes } from '../dial-back/service.ts';
import type { LinkPlace } from '../../agent-links/service.ts';
import type { ViewerFacts, Viewers } from '../viewers/service.ts';
import { createChannel, type Channel } from './channel.ts';
import { keyOf, type StreamKey, type WatchedKind, type WatchRequest } from './model.ts';
import { serveReplica } from './serve-replica.ts';
import { sendingTo } from './reader-sender.ts';
import type { Reader } from './stream.ts';
import { createTopicLists } from './topic-lists.ts';
import { fromAgent, fromReplica } from './shared-upstreams.ts';

export type { WatchRequest } from './model.ts';

interface MediaServiceSettings {
  viewers: Viewers;
  dialBacks: DialBacks;
  peers: Peers | undefined;
  notes: StreamNotes;
  log: Logger;
}

export type MediaService = ReturnType<typeof createMediaService>;

/** A viewer of a camera or topic, for the limits and access checks of all viewers. */
export const factsOf = ({ subject: { orgId, robotId, kind }, tokenId }: Omit<WatchRequest, 'rate'>): ViewerFacts => ({
  kind,
  orgId,
  robotId,
  tokenId,
  leastRole: 'viewer',
});

/**
 * Cameras and topics, each with all its readers. The replica that holds a robot's link has one socket from its agent
 * for each. Any other replica has one socket to that replica. Only streams from agents are given to other replicas, so
 * no cycle can arise.
 */
export function createMediaService({ viewers, dialBacks, peers, notes, log }: MediaServiceSettings) {
  const fromAgents = new Map<string, Channel>(); // by subject
  const fromReplicas = new Map<string, Channel>();
  const peerSockets = new Set<WebSocket>();
  const liveness = viewers.limits;

  function channelHere(subject: StreamKey): Channel {
    const key = keyOf(subject);
    const found = fromAgents.get(key);
    if (found) return found;
    const made = createChannel(fromAgent(dialBacks, subject), () => fromAgents.delete(key));
    fromAgents.set(key, made);
    return made;
  }

  /** An existing channel stays in use, wherever the link is by now. */
  function channelOf(subject: StreamKey, { replicaId, url }: LinkPlace): Channel {
    const key = keyOf(subject);
    const found = fromAgents.get(key) ?? fromReplicas.get(key);
    if (found) return found;
    if (replicaId === dialBacks.replicaId || url === undefined || !peers) return channelHere(subject);
    const upstream = fromReplica({ peers, liveness }, { replicaId, url }, subject);
    const made = createChannel(upstream, () => fromReplicas.delete(key));
    fromReplicas.set(key, made);
    return made;
  }

  return {
    /** Takes over a viewer's socket, with its connection. */
    open(viewer: WebSocket, wire: Socket, watchRequest: WatchRequest, place: LinkPlace): void {
      const { subject, rate } = watchRequest;
      const id = newId();
      const watched = { ...watchRequest, ...subject };
      const sending = sendingTo(subject.kind, outletOf(viewer, wire), rate);
      let openedMs: number | undefined;
      const reader: Reader = {
        rate,
        opened() {
          openedMs = performance.now();
          notes.write(id, watched, 'open', what(subject));
        },
        take: sending.take,
        ended(code, reason) {
          if (openedMs === undefined)
            notes.write(id, watched, 'fail', { ...what(subject), code, reason: reason.toString() });
          closeNow(viewer, [code, reason]);
        },
      };
      let channel: Channel | undefined;
      const leave = () => {
        sending.stop();
        channel?.leave(reader);
        channel = undefined;
      };
      viewers.add(viewer, factsOf(watchRequest), leave);
      viewer.on('message', () => viewer.close(closeCodes.policy, 'this stream accepts no frames'));
      viewer.on('close', (code) => {
        leave();
        if (openedMs === undefined) return;
        const seconds = Math.round((performance.now() - openedMs) / 100) / 10;
        notes.write(id, watched, 'close', { ...what(subject), ...sending.sent, seconds, code });
      });
      if (viewer.readyState !== viewer.OPEN) return;
      channel = channelOf(subject, place);
      channel.join(reader);
    },

    /** Handles the socket by which another replica requests a stream of a robot linked here. */
    answer(socket: WebSocket, wire: Socket, robotId: string): void {
      peerSockets.add(socket);
      socket.on('close', () => peerSockets.delete(socket));
      keepAlive(socket, liveness);
      serveReplica({ socket, outlet: outletOf(socket, wire), robotId, channelOf: channelHere });
    },

    listTopics: createTopicLists(dialBacks, log),

    stop(): void {
      for (const socket of peerSockets) closeNow(socket, [closeCodes.restarting, 'the service is stopping']);
    },
  };
}

/** What is watched, for the audit log. */
const what = ({ kind, name, source }: StreamKey): Partial<Record<WatchedKind | 'source', string>> => ({
  [kind]: name,
  ...(source !== undefined && { source }),
});
