import type { WebSocket } from 'ws';
import { limits } from '../../../generated/protocol.js';
import { sourceFrames, validateTopicRecord, watcherFrames } from '../../../generated/media.js';
import { preparedFrame } from '../../platform/ws/outlet.ts';
import { faultBy, faultOf, readTextFrame } from '../../platform/ws/text-frames.ts';
import type { WatchedKind } from './model.ts';
import type { Item } from './stream.ts';

interface IntakeListener {
  item(item: Item): void;
  /** The stream breaks the contract; nothing more of it is accepted. */
  fault(reason: string): void;
}

/** Records accepted per second. More wait in the connection, and the agent notices the back pressure. */
const maxRecordsPerSecond = 1_000;
/**
 * The same in bytes. A record is parsed, a picture only forwarded. A robot on a fast network could otherwise take all
 * CPU time.
 */
const maxBytesPerSecond = { camera: 32 * 1_048_576, topic: 8 * 1_048_576 };
/** Burst: this many seconds' worth of each may arrive at once. */
const burstSeconds = 2;

/** Reads a stream from an agent or a replica. The returned function stops it. */
export function readUpstream(kind: WatchedKind, socket: WebSocket, on: IntakeListener): () => void {
  const read = kind === 'camera' ? pictures() : recordOf;
  const waitForBytes = allowance(maxBytesPerSecond[kind]);
  const waitForNext = kind === 'camera' ? () => 0 : allowance(maxRecordsPerSecond);
  let pause: NodeJS.Timeout | undefined;
  const take = (data: Buffer, isBinary: boolean) => {
    const found = read(data, isBinary);
    if (typeof found === 'string') {
      stop();
      return on.fault(found);
    }
    const waitMs = Math.max(waitForBytes(data.length), waitForNext(1));
    if (waitMs > 0) {
      // Frames that were already read still arrive, and extend the pause.
      socket.pause();
      clearTimeout(pause);
      pause = setTimeout(() => socket.resume(), waitMs);
    }
    on.item(found);
  };
  const stop = () => void socket.off('message', take);
  socket.on('message', take);
  return stop;
}

/** An item, or why it is invalid. */
type Read = (data: Buffer, isBinary: boolean) => Item | string;

function pictures(): Read {
  const waitForNext = allowance(limits.maxCameraFramesPerSecond);
  return (data, isBinary) => {
    if (!isBinary) return 'a camera must send binary frames, not text';
    if (data[0] !== 0xff || data[1] !== 0xd8) return 'a frame is not a JPEG: it does not begin with FFD8';
    if (data.at(-2) !== 0xff || data.at(-1) !== 0xd9)
      return 'a frame is not a complete JPEG: it does not end with FFD9';
    if (waitForNext(1) > 0) return `more than ${limits.maxCameraFramesPerSecond} pictures per second`;
    return { frame: preparedFrame(data, true), isContent: true };
  };
}

const recordOf: Read = (data, isBinary) => {
  if (isBinary) return 'a topic must send text frames, not binary';
  const frame = readTextFrame(data);
  if (typeof frame === 'string') return frame;
  const isContent = frame.type.includes('/');
  const fault = isContent
    ? faultBy(validateTopicRecord, frame, 'record')
    : faultOf(frame, { sent: sourceFrames, received: watcherFrames });
  return fault ?? { frame: preparedFrame(data, false), isContent };
};

/** Counts items; returns by how many ms they came too early, or 0. */
function allowance(perSecond: number): (count: number) => number {
  let left = perSecond * burstSeconds;
  let countedMs = performance.now();
  return (count) => {
    const now = performance.now();
    left = Math.min(perSecond * burstSeconds, left + ((now - countedMs) / 1_000) * perSecond) - count;
    countedMs = now;
    return left >= 0 ? 0 : (-left / perSecond) * 1_000;
  };
}
