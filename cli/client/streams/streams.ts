import type { StreamKind } from '../types.ts';
import { camera, type CameraOptions } from './camera.ts';
import { logs, type LogGap, type LogOptions, type LogRecord } from './logs.ts';
import { openShell, type OpenShellOptions, type Shell } from './open-shell.ts';
import { shell, type RawShell, type ShellOptions } from './shell.ts';
import { streamUrl, type StreamConnector } from './stream-connector.ts';
import { maxFrameBytes, platformSocket, type SocketMaker } from './socket-maker.ts';
import { topic, type TopicFrame, type TopicOptions } from './topic.ts';

/**
 * Live streams of a robot. Streams that are read reconnect, and throw StreamError if a retry cannot help, for example
 * if the robot is offline at the beginning.
 */
export interface Streams {
  /** Stored and live records, without gaps or duplicates. */
  logs(robotId: string, options?: LogOptions): AsyncGenerator<LogRecord | LogGap, void>;
  /** Whole JPEGs; only the newest if the reader is slow. */
  camera(robotId: string, options?: CameraOptions): AsyncGenerator<Uint8Array, void>;
  /** The messages of a ROS topic. */
  topic(robotId: string, name: string, options?: TopicOptions): AsyncGenerator<TopicFrame, void>;
  /** A shell or a command over `fleet.shell.v1`: it reconnects as long as the robot waits, and reports how it ended. */
  openShell(robotId: string, options?: OpenShellOptions): Promise<Shell>;
  /** A terminal with raw bytes, for agents without `fleet.shell.v1`. */
  shell(robotId: string, options?: ShellOptions): Promise<RawShell>;
}

interface StreamAccess {
  baseUrl: string;
  token: () => Promise<string>;
  orgId: string | undefined;
  socketMaker: SocketMaker | undefined;
  silentSeconds: number;
  userAgent: Readonly<Record<string, string>>;
  ticket(robotId: string, kind: StreamKind): Promise<string>;
  newestSeq(robotId: string): Promise<number>;
}

export function streamsOf(access: StreamAccess): Streams {
  const { newestSeq } = access;
  const connector = connectorOf(access);
  return {
    logs: (robotId, options = {}) => logs(connector, robotId, options, () => newestSeq(robotId)),
    camera: (robotId, options) => camera(connector, robotId, options),
    topic: (robotId, name, options) => topic(connector, robotId, name, options),
    openShell: (robotId, options) => openShell(connector, robotId, options),
    shell: (robotId, options) => shell(connector, robotId, options),
  };
}

function connectorOf(access: StreamAccess): StreamConnector {
  const { baseUrl, token, orgId, socketMaker, silentSeconds, userAgent, ticket } = access;
  return {
    silentSeconds,
    async open(robotId, kind, query, protocol) {
      const protocols = protocol === undefined ? [] : [protocol];
      const url = streamUrl(baseUrl, robotId, kind, query);
      if (socketMaker) {
        const org = orgId === undefined ? {} : { 'X-Service-Org-Id': orgId };
        const headers = { Authorization: `Bearer ${await token()}`, ...userAgent, ...org };
        const options = { headers, perMessageDeflate: false, maxPayload: maxFrameBytes };
        return { socket: new socketMaker(url.href, protocols, options) };
      }
      // A browser sends no header, and proxies log URLs: so the URL has a single-use ticket, not the token.
      const Socket = platformSocket();
      url.searchParams.set('token', await ticket(robotId, kind));
      return { socket: new Socket(url.href, protocols) };
    },
  };
}
