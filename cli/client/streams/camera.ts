import { drain } from './drain.ts';
import { follow, type FollowOptions } from './follow.ts';
import { bytesOf } from './frames.ts';
import { queueOf } from './queue.ts';
import { rhythmOf } from './rhythm.ts';
import type { StreamConnector } from './stream-connector.ts';

export interface CameraOptions {
  /** Name of one of the robot's cameras. Default: the first. */
  camera?: string;
  /** Maximum pictures per second. Default: all. */
  fps?: number;
  signal?: AbortSignal;
}

interface CameraFollow extends FollowOptions {
  query: { camera?: string | undefined; fps?: number | undefined };
  /** If it returns a promise, reading pauses until that resolves, provided that the socket can pause. */
  onPicture(jpeg: Uint8Array): Promise<void> | undefined;
}

/** A camera's pictures, one whole JPEG each, across disconnects; see `follow`. */
export function followCamera(
  connector: StreamConnector,
  robotId: string,
  { query, onPicture, ...options }: CameraFollow,
): Promise<void> {
  const rhythm = rhythmOf(connector.silentSeconds);
  return follow({
    ...options,
    silentSeconds: connector.silentSeconds,
    isAwaiting: rhythm.isRegular,
    open() {
      rhythm.begin();
      return connector.open(robotId, 'camera', query);
    },
    onMessage(data) {
      rhythm.beat();
      // A text frame is from a later version.
      return typeof data === 'string' ? undefined : onPicture(bytesOf(data));
    },
  });
}

/** The same, picture by picture. A slow reader gets only the newest one. */
export function camera(
  connector: StreamConnector,
  robotId: string,
  { signal, ...query }: CameraOptions = {},
): AsyncGenerator<Uint8Array, void> {
  const queue = queueOf<Uint8Array>({ most: 1 });
  function onPicture(jpeg: Uint8Array): undefined {
    queue.put(jpeg);
  }
  return drain(queue, (over) => followCamera(connector, robotId, { query, onPicture, signal: over }), signal);
}
