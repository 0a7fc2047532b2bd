import { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
import { closeReason } from '../platform/ws/close-reason.ts';
import type { EndReason } from './model.ts';

/**
 * The link of one agent, from its upgrade to the end of its socket. States: `greeting` (no hello yet) → `joining` (the database gives the
 * epoch) → `up` → `over`; from each of them to `over`. There are many thousands, so it holds what it needs and no closures.
 */
export interface Link {
  readonly socket: WebSocket;
  readonly orgId: string;
  readonly robotId: string;
  readonly tokenId: string;
  readonly address: string;
  state: 'greeting' | 'joining' | 'up' | 'over';
  epoch: number; // 0 until it is up
  /** Whether somebody else has ended it in the database, or will: it writes nothing any more. */
  stale: boolean;
  endReason: EndReason | undefined; // why we end it; undefined while the agent may
  endCode: number | undefined; // by which close code, if by one
  closeReason: string | undefined; // what the agent was told with that code
  slot: number; // of the wheel
  // Instants of the wheel's clock, in ms.
  openedMs: number;
  heardMs: number;
  pingedMs: number;
  beatMs: number; // when it was last to be written
  // Frames that it may send, and since when that is counted.
  allowance: number;
  allowanceMs: number;
  snapshot: string | undefined; // waits to be written
  pendingBytes: number; // of logs and reports that are not stored yet
  takesOrders: boolean; // and what it said of them in its hello is recorded
  desiredHash: string | undefined; // of the list of orders that went out last; undefined: it is to get one in any case
  desiredMs: number; // when that was
  openOrders: number; // in that list
  opensStreams: boolean; // as it said in its hello
  streams: number | undefined; // that are open, as its last heartbeat said; undefined where it does not say
  streamsMs: number; // when that heartbeat came
  streamFrameMs: number; // when the last frame of a live stream was sent to it
  leaving: EndReason | undefined; // why it was asked to reconnect
  paused: boolean; // we do not read, so its silence says nothing
  spools: string[] | undefined; // that it sent records of
  rotationAskedMs: number | undefined; // when the rotation was wanted that its agent was asked for last; by the clock of the database
  early: Buffer[] | undefined; // frames that came before it was up
}

/** What ws itself closes a socket for, without a word; by close code. */
const faults: Record<number, string> = {
  1002: 'a WebSocket frame was broken',
  1007: 'a text frame was not UTF-8',
  1008: 'a frame came in too many pieces',
  1009: `a frame was larger than ${limits.maxFrameBytes} bytes`,
};

/** A WebSocket that knows its link, so that all sockets share their listeners. */
export class AgentSocket extends WebSocket {
  declare link: Link;

  /** ws gives no reason for its own closes; an agent's log and the robot's timeline need one. */
  override close(code?: number, reason?: string | Buffer): void {
    const fault = reason === undefined ? faults[code ?? 0] : undefined;
    if (fault !== undefined) {
      this.link.endCode ??= code;
      this.link.closeReason ??= fault;
    }
    super.close(code, reason ?? fault);
  }
}

/** The link of a socket that was made by the server of agents. */
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
    beatMs: nowMs,
    allowance,
    allowanceMs: nowMs,
    snapshot: undefined,
    pendingBytes: 0,
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
  };
  (socket as WebSocket & { link: Link }).link = link;
  return link;
}

/** Ends a link from our side. What it was up to is told by the listener of `close`. `why` may hold what the agent sent. */
export function closeLink(link: Link, code: number, why: string, endReason: EndReason): void {
  if (link.state === 'over') return;
  if (link.endReason !== undefined) return; // the first reason stands
  const reason = closeReason(why);
  link.endReason = endReason;
  link.endCode = code;
  link.closeReason = reason;
  resume(link); // a paused socket would never read the other side's close
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

/** Bytes of one link that may wait to be stored; above it we stop reading, and TCP stops the agent. */
const pauseBytes = 1_048_576;
const resumeBytes = 524_288;
/** What a frame counts at least: one of a spool of its own takes a statement of its own, however short it is. */
const minFrameBytes = 2_048;
/** What an agent that does not read may leave in our memory. */
const maxUnreadBytes = 1_048_576;

/** Counts a frame that waits to be stored; gives what to release for it then. */
export function hold(link: Link, frameBytes: number): number {
  const bytes = Math.max(frameBytes, minFrameBytes);
  link.pendingBytes += bytes;
  if (link.pendingBytes > pauseBytes) pause(link);
  return bytes;
}

export function release(link: Link, bytes: number): void {
  link.pendingBytes -= bytes;
  if (link.pendingBytes < resumeBytes) resume(link);
}

/** Sends a frame. A link whose agent does not read is cut off. */
export function say(link: Link, text: string): void {
  if (link.socket.bufferedAmount > maxUnreadBytes) {
    link.endReason ??= 'refused';
    return link.socket.terminate();
  }
  link.socket.send(text);
}
