import type { Refused, ServerFrame } from '../../../generated/frames.js';
import { openCameras } from '../camera/offer.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { streamManager, type StreamManager } from '../streams/stream-manager.ts';

interface CameraSettings {
  backendUrl: string;
  socketOptions: SocketOptions;
  perSecond: number;
  send(frame: Refused): void;
}

/** The name of the only camera of a simulated robot. */
export const simulatedCamera = 'camera';
const size = { width: 320, height: 240 };
/** A test camera has no troubles to report. */
const troubles = { is: () => undefined, over: () => undefined };

/** A camera with the test pattern. It is created for its first viewer: most robots of a large run have none. */
export function playCamera({ backendUrl, socketOptions, perSecond, send }: CameraSettings) {
  let manager: Promise<StreamManager> | undefined;
  let made: StreamManager | undefined;

  async function openManager(): Promise<StreamManager> {
    const cameras = [{ name: simulatedCamera, kind: 'test' as const, ...size, perSecond }];
    const camera = openCameras({ cameras }, { environment: {}, graphs: [], troubles });
    made = streamManager({ backendUrl, socketOptions, openers: { camera }, send });
    await camera;
    return made;
  }

  return {
    frame(frame: ServerFrame): void {
      if (frame.type === 'open') void (manager ??= openManager()).then((opened) => opened.open(frame));
      if (frame.type === 'close') void manager?.then((opened) => opened.close(frame));
    },
    /** Streams that are open or being opened. */
    count: () => made?.count() ?? 0,
    async stop(): Promise<void> {
      await (await manager)?.stop();
    },
  };
}
