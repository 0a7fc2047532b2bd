import type { RawData, WebSocket } from 'ws';
import { limits } from '../../../generated/protocol.js';
import type { FlowControl } from '../../platform/ws/flow-control.ts';

/** Bytes that passed. */
export interface BytesTransferred {
  fromViewer: number;
  toViewer: number;
}

export type Frame = [data: RawData, isBinary: boolean];

/** Bytes that a socket may send before there is a receiver. Above that, it is paused until there is one. */
const maxHeldBytes = 65_536;
/** Approximate cost of a queued frame beside its bytes: a frame may be empty. */
const frameBytes = 128;

/**
 * Buffers frames of a socket, which is still read, so that its close is noticed. The returned function ends this and
 * returns the frames in order.
 */
export function hold(socket: WebSocket): () => Frame[] {
  const held: Frame[] = [];
  let bytes = 0;
  const keep = (...frame: Frame) => {
    held.push(frame);
    bytes += sizeOf(frame[0]) + frameBytes;
    if (bytes > maxHeldBytes) socket.pause();
  };
  socket.on('message', keep);
  return () => {
    socket.off('message', keep);
    socket.resume();
    return held;
  };
}

/**
 * Joins two sockets: each gets the frames of the other, at the pace of the slower one. Only frames that one of them has
 * not received yet are buffered; TCP back pressure reaches the sender. `early`: earlier frames of the viewer.
 * `flowControl`: of the robot's socket, which others pause too.
 */
export function pipe(
  viewer: WebSocket,
  robot: WebSocket,
  { early = [], flowControl = robot }: { early?: readonly Frame[]; flowControl?: FlowControl } = {},
): BytesTransferred {
  const passed = { fromViewer: 0, toViewer: 0 };
  const take = pour(viewer, robot, viewer, (bytes) => (passed.fromViewer += bytes));
  pour(robot, viewer, flowControl, (bytes) => (passed.toViewer += bytes));
  for (const frame of early) take(...frame);
  return passed;
}

const sizeOf = (data: RawData): number => (data as Buffer).length; // always a Buffer with our binary type

function pour(
  from: WebSocket,
  to: WebSocket,
  flowControl: FlowControl,
  count: (bytes: number) => void,
): (...frame: Frame) => void {
  let isPaused = false;
  let waiting = 0; // frames
  const cost = () => to.bufferedAmount + waiting * frameBytes;
  const goOn = () => {
    isPaused = false;
    flowControl.resume();
  };
  const onSent = () => {
    waiting -= 1;
    if (isPaused && cost() <= limits.streamResumeBytes) goOn();
  };
  const take = (data: RawData, isBinary: boolean) => {
    // Frames of a socket that is closing are discarded: its rights may have ended.
    if (from.readyState !== from.OPEN || to.readyState !== to.OPEN) return;
    count(sizeOf(data));
    waiting += 1;
    to.send(data, { binary: isBinary }, onSent);
    if (cost() <= limits.streamPauseBytes) return;
    isPaused = true;
    flowControl.pause();
  };
  from.on('message', take);
  to.on('close', goOn); // a paused socket never notices that its peer closed it
  return take;
}
