import { limits } from '../../../generated/protocol.js';
import type { RosSource } from '../ros/source.ts';
import type { StreamOpener } from '../streams/opener.ts';
import type { Troubles } from '../troubles.ts';
import type { CameraTimes } from './camera.ts';
import { createCameras } from './cameras.ts';
import { ffmpegCamera } from './ffmpeg.ts';
import { httpCamera } from './http.ts';
import { rosCamera } from './ros.ts';
import type { CameraSource } from './source.ts';
import type { CameraSpec } from './spec.ts';

/** The cameras that users may view. */
export interface CameraOffer {
  cameras: readonly CameraSpec[];
  times?: Partial<CameraTimes>;
}

interface Surroundings {
  /** The environment of programs that the agent starts. */
  environment: Readonly<Record<string, string>>;
  /** CA certificates in PEM; default: those that Node trusts. */
  authorities?: readonly string[] | undefined;
  /** The graphs for `ros:`, which uses the first one. */
  graphs: readonly RosSource[];
  troubles: Troubles;
}

const usualTimes: CameraTimes = { lingerMs: limits.lingerMs, maxRestMs: 5_000 };

/** The cameras of this robot, or the reason why it has none. */
export async function openCameras(
  offer: CameraOffer | undefined,
  surroundings: Surroundings,
): Promise<StreamOpener | string> {
  if (!offer || offer.cameras.length === 0) return 'this robot has no camera';
  const sources = new Map<string, CameraSource>();
  for (const camera of offer.cameras) sources.set(camera.name, await sourceOf(camera, surroundings));
  return createCameras({ sources, times: { ...usualTimes, ...offer.times }, troubles: surroundings.troubles });
}

async function sourceOf(camera: CameraSpec, { environment, authorities, graphs }: Surroundings): Promise<CameraSource> {
  switch (camera.kind) {
    case 'ffmpeg':
      return ffmpegCamera({ args: camera.args, environment });
    case 'http':
      return httpCamera({ url: camera.url, authorities });
    case 'ros':
      return rosCamera({ topic: camera.topic, graph: graphs[0] });
    case 'test': {
      // Loads an encoder that no real camera needs.
      const { testCamera } = await import('./test-pattern.ts');
      return testCamera(camera);
    }
  }
}
