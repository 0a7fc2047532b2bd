import { drain } from './drain.ts';
import { follow, type FollowOptions } from './follow.ts';
import { bytesOf } from './frames.ts';
import { queueOf } from './queue.ts';
import { rhythmOf } from './rhythm.ts';
import type { StreamConnector } from './stream-connector.ts';

export interface CameraOptions {
  /** Name of one of its cameras. Default: the first. */
  camera?: string;
  /** Pictures a second at most. Default: as many as there are. */
  fps?: number;
  signal?: AbortSignal;
}

interface CameraFollow extends FollowOptions {
  query: { camera?: string | undefined; fps?: number | undefined };
  /** Where it gives a promise, no more is read until that resolves, if the socket can be paused. */
  onPicture(jpeg: Uint8Array): Promise<void> | undefined;
}

/** What a camera sees, one whole JPEG each, over every loss of the connection; see `follow`. */
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
      // A text is a frame of a later version.
      return typeof data === 'string' ? undefined : onPicture(bytesOf(data));
    },
  });
}

/** The same, picture by picture. A slow reader gets the newest one, and not older ones. */
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
