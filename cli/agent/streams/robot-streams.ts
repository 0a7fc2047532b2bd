import type { Capabilities, Refused } from '../../../generated/frames.js';
import { openCameras, type CameraOffer } from '../camera/offer.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import type { RosGraphs } from '../ros/ros-graphs.ts';
import { openShells, type ShellOffer } from '../shell/offer.ts';
import type { Troubles } from '../troubles.ts';
import { streamManager, type StreamManager } from './stream-manager.ts';

/** The live streams that this robot offers. */
export interface StreamOffers {
  /** Operators may open shells as this account. Default: shells are off. */
  shells?: ShellOffer | undefined;
  /** The cameras that users may view. Default: none. */
  cameras?: CameraOffer | undefined;
}

interface StreamSettings extends StreamOffers {
  ros: RosGraphs;
  /** The environment of programs that the agent starts. */
  environment: Readonly<Record<string, string>>;
  /** Without a trailing slash. */
  backendUrl: string;
  socketOptions: SocketOptions;
}

interface StreamListener {
  /** Writes to the robot's logs. */
  tell(message: string): void;
  troubles: Troubles;
  send(frame: Refused): void;
}

export interface RobotStreams extends StreamManager {
  /** For the `hello` frame. It includes shells once `known` has resolved, if there are any. */
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
