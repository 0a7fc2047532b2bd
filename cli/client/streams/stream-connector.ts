import type { StreamKind } from '../types.ts';
import type { StreamSocket } from './stream-socket.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

export interface OpenedStream {
  /** Being opened, or open and paused. */
  socket: StreamSocket;
  /** The `seq` of the newest log record when it was opened. Default: the connector does not see it, as a page sees no headers. */
  newestSeq?: number | undefined;
}

/** Opens live streams of the service. */
export interface StreamConnector {
  /** `protocol`: the subprotocol to speak; default none. Rejects where there is none to be had, with a StreamError where it is known why. */
  open(robotId: string, kind: StreamKind, query: Query, protocol?: string): Promise<OpenedStream>;
  /** A network that is silent for so long is gone. */
  silentSeconds: number;
}

const paths: Record<StreamKind, string> = {
  shell: 'shell/ws',
  camera: 'camera/ws',
  topic: 'ros/topics/echo',
  logs: 'logs/ws',
};

/** The address of a stream under that of the service. */
export function streamUrl(baseUrl: string, robotId: string, kind: StreamKind, query: Query): URL {
  const base = baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws');
  const url = new URL(`${base}/api/robots/${encodeURIComponent(robotId)}/${paths[kind]}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}
