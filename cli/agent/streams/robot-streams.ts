import type { Capabilities, Refused } from '../../../generated/frames.js';
import { openCameras, type CameraOffer } from '../camera/offer.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import type { RosGraphs } from '../ros/offer.ts';
import { openShells, type ShellOffer } from '../shell/offer.ts';
import type { Troubles } from '../troubles.ts';
import { streamManager, type StreamManager } from './stream-manager.ts';

/** What people may have of this robot, live. */
export interface StreamOffers {
  /** Operators may open shells, as this account. Default: nobody may. */
  shells?: ShellOffer | undefined;
  /** What people may look at. Default: nothing. */
  cameras?: CameraOffer | undefined;
}

interface StreamSettings extends StreamOffers {
  ros: RosGraphs;
  /** Of programs that are started. */
  environment: Readonly<Record<string, string>>;
  /** Without a slash at its end. */
  backendUrl: string;
  socketOptions: SocketOptions;
}

interface StreamListener {
  /** Writes into the robot's logs. */
  tell(message: string): void;
  troubles: Troubles;
  send(frame: Refused): void;
}

export interface RobotStreams extends StreamManager {
  /** Of the hello. Shells are in it once it is `known` that there are any. */
  readonly capabilities: Pick<Capabilities, 'shell' | 'cameras' | 'topics'>;
  known: Promise<void>;
}

/** The live streams of this robot: shells, cameras and the topics of its ROS graphs. */
export function robotStreams(settings: StreamSettings, { tell, troubles, send }: StreamListener): RobotStreams {
  const { ros, environment, backendUrl, socketOptions } = settings;
  const { authorities } = socketOptions;
  const names = settings.cameras?.cameras.map(({ name }) => name);
  let opensShells = false;
  const shells = openShells(settings.shells, environment['LANG'], tell);
  const manager = streamManager({
    backendUrl,
    socketOptions,
    openers: {
      shell: shells,
      camera: openCameras(settings.cameras, { environment, authorities, graphs: ros.sources, troubles }),
      topic: Promise.resolve(ros.topic),
      topics: Promise.resolve(ros.topics),
    },
    send,
  });
  return {
    ...manager,
    get capabilities() {
      return {
        shell: opensShells,
        ...(names && { cameras: names }),
        ...(ros.sources.length > 0 && { topics: true }),
      };
    },
    known: shells.then((found) => {
      opensShells = typeof found !== 'string';
      if (typeof found === 'string' && settings.shells) troubles.is('shells', found);
    }),
  };
}
