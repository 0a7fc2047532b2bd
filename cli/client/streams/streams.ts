import type { StreamKind } from '../types.ts';
import type { Door } from './door.ts';
import { logs, type LogGap, type LogOptions, type LogRecord } from './logs.ts';
import { shell, type RawShell, type ShellOptions } from './shell.ts';
import { platformSocket, type SocketMaker } from './socket.ts';
import { camera, topic, type CameraOptions, type TopicFrame, type TopicOptions } from './watching.ts';

/**
 * What is live at a robot. The streams that are read outlast lost connections and throw StreamError where trying again cannot help; a robot that is away at
 * the beginning is such a case.
 */
export interface Streams {
  /** Stored and live records joined, without a gap and without a double. */
  logs(robotId: string, options?: LogOptions): AsyncGenerator<LogRecord | LogGap, void>;
  /** Whole JPEGs, the newest where the reader is slow. */
  camera(robotId: string, options?: CameraOptions): AsyncGenerator<Uint8Array, void>;
  /** What is published on a ROS topic. */
  topic(robotId: string, name: string, options?: TopicOptions): AsyncGenerator<TopicFrame, void>;
  /** A terminal; its bytes as they are. */
  shell(robotId: string, options?: ShellOptions): Promise<RawShell>;
}

interface StreamAccess {
  baseUrl: string;
  token: string;
  orgId: string | undefined;
  socketMaker: SocketMaker | undefined;
  ticket(robotId: string, kind: StreamKind): Promise<string>;
  newestSeq(robotId: string): Promise<number>;
}

export function streamsOf({ baseUrl, token, orgId, socketMaker, ticket, newestSeq }: StreamAccess): Streams {
  const door: Door = {
    newestSeq,
    async open(robotId, kind, path, query) {
      const base = `${baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws')}/api/robots/${encodeURIComponent(robotId)}`;
      const url = new URL(`${base}/${path}`);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value));
      if (socketMaker) {
        const org = orgId === undefined ? {} : { 'X-Service-Org-Id': orgId };
        return new socketMaker(url.href, [], { headers: { Authorization: `Bearer ${token}`, ...org } });
      }
      // A browser sends no header, and addresses are written into logs on the way: so not the token, but what is good once.
      const Socket = platformSocket();
      url.searchParams.set('token', await ticket(robotId, kind));
      return new Socket(url.href);
    },
  };
  return {
    logs: (robotId, options) => logs(door, robotId, options),
    camera: (robotId, options) => camera(door, robotId, options),
    topic: (robotId, name, options) => topic(door, robotId, name, options),
    shell: (robotId, options) => shell(door, robotId, options),
  };
}
