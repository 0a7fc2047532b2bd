import { WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';
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
  pendingBytes: number; // of log frames that are not stored yet
  paused: boolean; // we do not read, so its silence says nothing
  spools: string[] | undefined; // that it sent records of
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

  /** ws gives no reason for its own closes; an agent's log needs one. */
  override close(code?: number, reason: string | Buffer | undefined = faults[code ?? 0]): void {
    super.close(code, reason);
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
    slot: 0,
    openedMs: nowMs,
    heardMs: nowMs,
    pingedMs: nowMs,
    beatMs: nowMs,
    allowance,
    allowanceMs: nowMs,
    snapshot: undefined,
    pendingBytes: 0,
    paused: false,
    spools: undefined,
    early: undefined,
  };
  (socket as WebSocket & { link: Link }).link = link;
  return link;
}

/** Closing handshakes that take longer are cut off. */
export const closeTimeoutMs = 5_000;

/** Ends a link from our side. What it was up to is told by the listener of `close`. */
export function closeLink(link: Link, code: number, reason: string, endReason: EndReason): void {
  if (link.state === 'over') return;
  if (link.endReason !== undefined) return; // the first reason stands
  link.endReason = endReason;
  link.endCode = code;
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
