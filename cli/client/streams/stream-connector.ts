import type { StreamKind } from '../types.ts';
import type { StreamSocket } from './stream-socket.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

export interface OpenedStream {
  /** Opening, or open and paused. */
  socket: StreamSocket;
  /** The `seq` of the newest log record when the stream opened. Default: unknown, because a page sees no headers. */
  newestSeq?: number | undefined;
}

/** Opens live streams of the service. */
export interface StreamConnector {
  /**
   * `protocol`: the subprotocol; default none. Rejects if the stream cannot open, with a StreamError if the reason is
   * known.
   */
  open(robotId: string, kind: StreamKind, query: Query, protocol?: string): Promise<OpenedStream>;
  /** A network that is silent for this long counts as lost. */
  silentSeconds: number;
}

const paths: Record<StreamKind, string> = {
  shell: 'shell/ws',
  camera: 'camera/ws',
  topic: 'ros/topics/echo',
  logs: 'logs/ws',
};

/** The URL of a stream under the base URL. */
export function streamUrl(baseUrl: string, robotId: string, kind: StreamKind, query: Query): URL {
  const base = baseUrl.replace(/\/+$/, '').replace(/^http/, 'ws');
  const url = new URL(`${base}/api/robots/${encodeURIComponent(robotId)}/${paths[kind]}`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}
