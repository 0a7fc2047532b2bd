import type { RawData, WebSocket } from 'ws';
import { limits } from '../../../generated/protocol.js';
import type { FlowControl } from '../../platform/ws/flow-control.ts';

/** What passed, in bytes. */
export interface Passed {
  fromViewer: number;
  toViewer: number;
}

export type Frame = [data: RawData, isBinary: boolean];

/** What somebody may send before there is anybody who takes it; then it is not read until there is. */
const maxHeldBytes = 65_536;
/** What a frame that waits costs beside its bytes, about: one may have none of them. */
const frameBytes = 128;

/** Keeps what comes from a socket, which is read on, so that its end is noticed. The function gives what came, in order, and ends the keeping. */
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
 * Joins two sockets: each gets what the other sends, frame by frame, at the pace of the slower one. Nothing is kept but what one of them has not
 * taken yet; TCP carries the pause on to the sender. `early` came from the viewer before. `flowControl`: of the robot's socket, where others pause its
 * reading too.
 */
export function pipe(
  viewer: WebSocket,
  robot: WebSocket,
  { early = [], flowControl = robot }: { early?: readonly Frame[]; flowControl?: FlowControl } = {},
): Passed {
  const passed = { fromViewer: 0, toViewer: 0 };
  const take = pour(viewer, robot, viewer, (bytes) => (passed.fromViewer += bytes));
  pour(robot, viewer, flowControl, (bytes) => (passed.toViewer += bytes));
  for (const frame of early) take(...frame);
  return passed;
}

const sizeOf = (data: RawData): number => (data as Buffer).length; // the others are for other binary types than ours

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
    // What comes from somebody whom we are closing counts no more: its right may be over.
    if (from.readyState !== from.OPEN || to.readyState !== to.OPEN) return;
    count(sizeOf(data));
    waiting += 1;
    to.send(data, { binary: isBinary }, onSent);
    if (cost() <= limits.streamPauseBytes) return;
    isPaused = true;
    flowControl.pause();
  };
  from.on('message', take);
  to.on('close', goOn); // a socket that is not read never hears that the other side closed it
  return take;
}
