import type { WebSocket } from 'ws';
import { closeCodes } from '../../../generated/protocol.js';
import type { Outlet } from '../../platform/ws/outlet.ts';
import { closeNow } from '../dial-back/service.ts';
import type { Channel } from './channel.ts';
import type { Rate, StreamKey } from './model.ts';
import { sendingTo, type ReaderSender } from './reader-sender.ts';
import type { Reader } from './stream.ts';
import type { WatchFrame } from './shared-upstreams.ts';

interface PeerParts {
  socket: WebSocket;
  outlet: Outlet;
  robotId: string;
  channelOf(subject: StreamKey): Channel;
}

/** How long another replica may take to send its first frame. */
const firstFrameWithinMs = 10_000;

/** Sends a stream to another replica, as one more reader. That replica handles its own viewers. */
export function serveReplica({ socket, outlet, robotId, channelOf }: PeerParts): void {
  let sending: ReaderSender | undefined;
  let rate: Rate = null;
  let channel: Channel | undefined;
  const reader: Reader = {
    get rate() {
      return rate;
    },
    opened: () => socket.send('{"type":"opened"}'),
    take: (item) => sending?.take(item),
    ended: (code, reason) => closeNow(socket, [code, reason]),
  };
  const late = setTimeout(() => socket.terminate(), firstFrameWithinMs);
  socket.on('error', () => undefined); // its close follows
  socket.on('message', (data: Buffer) => {
    const frame = readFrame(data);
    if (frame?.type === 'rate' && channel) {
      rate = rateOf(frame.per_second);
      sending?.setRate(rate);
      return channel.tellRate();
    }
    const subject = frame && subjectOf(frame, robotId);
    if (!subject || channel) return socket.close(closeCodes.policy, 'not a frame between replicas');
    clearTimeout(late);
    rate = rateOf(frame.per_second);
    sending = sendingTo(subject.kind, outlet, rate);
    channel = channelOf(subject);
    channel.join(reader);
  });
  socket.on('close', () => {
    clearTimeout(late);
    sending?.stop();
    channel?.leave(reader);
  });
}

/** A frame of a replica that may run another version. */
type AnyFrame = Partial<Record<keyof WatchFrame, unknown>>;

function readFrame(data: Buffer): AnyFrame | undefined {
  try {
    const value: unknown = JSON.parse(data.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const rateOf = (value: unknown): Rate => (typeof value === 'number' && value > 0 ? value : null);

function subjectOf({ type, org_id: orgId, kind, name, source }: AnyFrame, robotId: string): StreamKey | undefined {
  if (type !== 'watch' || typeof orgId !== 'string' || typeof name !== 'string') return undefined;
  if (kind !== 'camera' && kind !== 'topic') return undefined;
  return { orgId, robotId, kind, name, source: typeof source === 'string' ? source : undefined };
}
