import type { RawData, WebSocket } from 'ws';
import { limits } from '../../generated/protocol.js';

/** What passed, in bytes. */
export interface Passed {
  fromViewer: number;
  toViewer: number;
}

/**
 * Joins two sockets: each gets what the other sends, frame by frame, at the pace of the slower one. Nothing is kept but what one of them has not
 * taken yet; TCP carries the pause on to whoever sends.
 */
export function pipe(viewer: WebSocket, robot: WebSocket): Passed {
  const passed = { fromViewer: 0, toViewer: 0 };
  pour(viewer, robot, (bytes) => (passed.fromViewer += bytes));
  pour(robot, viewer, (bytes) => (passed.toViewer += bytes));
  return passed;
}

function pour(from: WebSocket, to: WebSocket, count: (bytes: number) => void): void {
  let isPaused = false;
  const onSent = () => {
    if (!isPaused || to.bufferedAmount > limits.streamResumeBytes) return;
    isPaused = false;
    from.resume();
  };
  from.on('message', (data: RawData, isBinary: boolean) => {
    count((data as Buffer).length); // the others are for other binary types than ours
    if (to.readyState !== to.OPEN) return;
    to.send(data, { binary: isBinary }, onSent);
    if (to.bufferedAmount <= limits.streamPauseBytes) return;
    isPaused = true;
    from.pause();
  });
  // A socket that is not read never hears that the other side closed it.
  to.on('close', () => {
    isPaused = false;
    from.resume();
  });
}
