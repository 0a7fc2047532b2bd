import { closeCodes } from '../../../generated/protocol.js';
import type { StreamOpener } from '../streams/opener.ts';
import type { StreamSocket } from '../streams/socket.ts';
import type { Troubles } from '../troubles.ts';
import { cameraOf, type Camera, type CameraTimes } from './camera.ts';
import type { CameraSource } from './source.ts';

interface CamerasSettings {
  /** In the order of the configuration: the first is the default camera. */
  sources: ReadonlyMap<string, CameraSource>;
  times: CameraTimes;
  troubles: Troubles;
}

/** All cameras of a robot. */
export function createCameras({ sources, times, troubles }: CamerasSettings): StreamOpener {
  const cameras = new Map<string, Camera>();
  const sockets = new Set<() => StreamSocket>();
  for (const [name, source] of sources) {
    const settings = {
      name,
      source,
      times,
      failed: (reason: string) => troubles.is(`camera ${name}`, `${reason}. Retrying when the camera is opened`),
      well: () => troubles.over(`camera ${name}`, `camera ${name}: sends pictures again`),
    };
    cameras.set(name, cameraOf(settings));
  }
  const [first] = cameras.keys();
  const wantedOf = ({ camera = first }: Readonly<Record<string, unknown>> = {}) =>
    typeof camera === 'string' ? camera : '';

  return {
    refusalOf({ parameters }) {
      const wanted = wantedOf(parameters);
      const camera = cameras.get(wanted);
      if (!camera)
        return [
          'not_found',
          `no camera ${wanted.slice(0, 32)} on this robot; it has ${[...cameras.keys()].join(', ')}`,
        ];
      return camera.refusal === undefined ? undefined : ['failed', camera.refusal];
    },
    accept({ parameters }, socket) {
      const viewer = cameras.get(wantedOf(parameters))?.add(socket, rateOf(parameters?.['per_second']) ?? null);
      sockets.add(socket);
      return {
        message(data, isBinary) {
          const wanted = isBinary ? undefined : rateIn(data);
          if (wanted !== undefined) viewer?.pace(wanted);
        },
        eased: () => undefined,
        closed() {
          sockets.delete(socket);
          viewer?.gone();
        },
      };
    },
    async stop() {
      const stopping = [...cameras.values()].map((camera) => camera.stop());
      for (const socket of sockets) socket().close(closeCodes.restarting, 'the agent was stopped');
      await Promise.all(stopping);
    },
  };
}

/** Undefined for a value that is not a rate. */
const rateOf = (value: unknown): number | null | undefined =>
  value === null || (typeof value === 'number' && value > 0 && Number.isFinite(value)) ? value : undefined;

/** The rate of a `rate` frame; undefined for any other frame, since later versions may add some. */
function rateIn(data: Buffer): number | null | undefined {
  try {
    const frame = JSON.parse(data.toString('utf8')) as { type?: unknown; per_second?: unknown } | null;
    return frame?.type === 'rate' ? rateOf(frame.per_second) : undefined;
  } catch {
    return undefined;
  }
}
