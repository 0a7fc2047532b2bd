import { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
import type { ConditionWatch } from '../conditions/service.ts';
import { closeReason } from '../platform/ws/close-reason.ts';
import type { EndReason, Measured, OpenBlock } from './model.ts';

/**
 * The link of one agent, from its upgrade to the end of its socket. States: `greeting` (no hello yet) → `joining` (the
 * database assigns the epoch) → `up` → `over`. Each state may change to `over`. There are many thousands, so a link
 * holds plain data and no closures.
 */
export interface Link {
  readonly socket: WebSocket;
  readonly orgId: string;
  readonly robotId: string;
  readonly tokenId: string;
  readonly address: string;
  state: 'greeting' | 'joining' | 'up' | 'over';
  epoch: number; // 0 until it is up
  /** Whether another party has ended it in the database, or will: it writes nothing any more. */
  stale: boolean;
  endReason: EndReason | undefined; // why the service ends it; undefined until then
  endCode: number | undefined; // the close code for that, if any
  closeReason: string | undefined; // the close reason sent with that code
  slot: number; // of the timer wheel
  // Instants of the wheel's clock, in ms.
  openedMs: number;
  heardMs: number;
  pingedMs: number;
  readBytes: number; // from its connection, at the first ping of the current silence
  beatMs: number; // when its sign of life was last queued
  // Frames that it may send, and when that was last counted.
  allowance: number;
  allowanceMs: number;
  snapshot: string | undefined; // waiting to be written, as are the next two
  measured: Measured | undefined;
  openBlock: OpenBlock | undefined;
  pendingBytes: number; // of logs and reports not stored yet
  handledBytes: number; // of other frames, less what drained
  takesOrders: boolean; // and the orders of its hello are recorded
  desiredHash: string | undefined; // of the list of orders sent last; undefined: send one in any case
  desiredMs: number; // when that list was sent
  openOrders: number; // in that list
  opensStreams: boolean; // according to its hello
  streams: number | undefined; // open ones, according to its last heartbeat; undefined if not stated
  streamsMs: number; // when that heartbeat arrived
  streamFrameMs: number; // when the last frame of a live stream was sent to it
  leaving: EndReason | undefined; // why it was asked to reconnect
  paused: boolean; // its socket is not read, so its silence means nothing
  spools: string[] | undefined; // that it sent records of
  rotationAskedMs: number | undefined; // the last rotation that was requested, by the clock of the database
  early: Buffer[] | undefined; // frames that arrived before it was up
  conditions: ConditionWatch | undefined; // while it is up
}

/** Reasons for which ws itself closes a socket without sending one; by close code. */
const faults: Record<number, string> = {
  1002: 'a WebSocket frame was invalid',
  1007: 'a text frame was not UTF-8',
  1008: 'a frame had too many fragments',
  1009: `a frame was larger than ${limits.maxFrameBytes} bytes`,
};

/** A WebSocket that knows its link, so that all sockets share their listeners. */
export class AgentSocket extends WebSocket {
  declare link: Link;

  /** ws sends no reason for its own closes; the agent's log and the robot's timeline need one. */
  override close(code?: number, reason?: string | Buffer): void {
    const fault = reason === undefined ? faults[code ?? 0] : undefined;
    if (fault !== undefined) {
      this.link.endCode ??= code;
      this.link.closeReason ??= fault;
    }
    super.close(code, reason ?? fault);
  }
}

/** The link of a socket that the server of agents created. */
export const linkOf = (socket: WebSocket): Link => (socket as WebSocket & { link: Link }).link;

export function newLink(
  socket: WebSocket,
  { orgId, robotId, tokenId }: Pick<Link, 'orgId' | 'robotId' | 'tokenId'>,
  address: string,
  nowMs: number,
  allowance: number,
): Link {
  const link: Link = {
    socket,
    orgId,
    robotId,
    tokenId,
    address,
    state: 'greeting',
    epoch: 0,
    stale: false,
    endReason: undefined,
    endCode: undefined,
    closeReason: undefined,
    slot: 0,
    openedMs: nowMs,
    heardMs: nowMs,
    pingedMs: nowMs,
    readBytes: 0,
    beatMs: nowMs,
    allowance,
    allowanceMs: nowMs,
    snapshot: undefined,
    measured: undefined,
    openBlock: undefined,
    pendingBytes: 0,
    handledBytes: 0,
    takesOrders: false,
    desiredHash: undefined,
    desiredMs: nowMs,
    openOrders: 0,
    opensStreams: false,
    streams: undefined,
    streamsMs: -Infinity,
    streamFrameMs: -Infinity,
    leaving: undefined,
    paused: false,
    spools: undefined,
    rotationAskedMs: undefined,
    early: undefined,
    conditions: undefined,
  };
  (socket as WebSocket & { link: Link }).link = link;
  return link;
}

/** Closes a link from the service's side. The `close` listener records its end. `why` may contain text of the agent. */
export function closeLink(link: Link, code: number, why: string, endReason: EndReason): void {
  if (link.state === 'over') return;
  if (link.endReason !== undefined) return; // the first reason stands
  const reason = closeReason(why);
  link.endReason = endReason;
  link.endCode = code;
  link.closeReason = reason;
  resume(link); // a paused socket would never read the close of the other side
  link.socket.close(code, reason);
}

export function pause(link: Link): void {
  if (link.paused) return;
  link.paused = true;
  link.socket.pause();
}

export function resume(link: Link): void {
  if (!link.paused) return;
  link.paused = false;
  link.socket.resume();
}

/**
 * Bytes of one link that may wait to be stored. Above that, its socket is paused, and TCP back pressure stops the
 * agent.
 */
const pauseBytes = 1_048_576;
const resumeBytes = 524_288;
/** Minimum size that a frame counts as: with a spool of its own it takes a statement of its own, however short. */
const minFrameBytes = 2_048;
/**
 * Burst of frames that nothing waits for, such as heartbeats. Above that, the socket is paused too: a frame costs CPU
 * time by its length.
 */
const maxHandledBytes = 2_097_152;
const handledBytesPerSecond = 1_048_576;
/** Unread bytes that an agent may leave in the service's memory. */
const maxUnreadBytes = 1_048_576;

/** Counts a frame that waits to be stored. Returns what to release for it afterwards. */
export function reserveBytes(link: Link, frameBytes: number): number {
  const bytes = Math.max(frameBytes, minFrameBytes);
  link.pendingBytes += bytes;
  if (link.pendingBytes > pauseBytes) pause(link);
  return bytes;
}

export function releaseBytes(link: Link, bytes: number): void {
  link.pendingBytes -= bytes;
  resumeIfAllowed(link);
}

/** Counts a frame that is handled at once. */
export function countBytes(link: Link, frameBytes: number): void {
  link.handledBytes += frameBytes;
  if (link.handledBytes > maxHandledBytes) pause(link);
}

/** To be called at each interval of `ms`. */
export function drainBytes(link: Link, ms: number): void {
  if (link.handledBytes === 0) return;
  link.handledBytes = Math.max(0, link.handledBytes - (ms / 1_000) * handledBytesPerSecond);
  resumeIfAllowed(link);
}

function resumeIfAllowed(link: Link): void {
  if (link.state === 'joining' || link.handledBytes > maxHandledBytes) return;
  if (link.pendingBytes < resumeBytes) resume(link);
}

/** Sends a frame. A link whose agent does not read is terminated. */
export function sendFrame(link: Link, text: string): void {
  if (link.socket.bufferedAmount > maxUnreadBytes) {
    link.endReason ??= 'refused';
    return link.socket.terminate();
  }
  link.socket.send(text);
}
