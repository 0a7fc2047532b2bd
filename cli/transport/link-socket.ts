import { WebSocket, type ClientOptions } from 'ws';
import { limits } from '../../generated/protocol.js';
import { secureTunnel, tunnel } from './http.ts';

/** Options for the agent's socket; all are optional. */
export interface SocketOptions {
  /** An `http://` proxy to go through, by CONNECT; default none. */
  proxy?: URL | undefined;
  /** CA certificates in PEM for the server; default: those that Node trusts. */
  authorities?: readonly string[] | undefined;
  userAgent?: string | undefined;
  /** How long the other side may take to answer a close; default 30 s. */
  closeTimeoutMs?: number | undefined;
  /** The subprotocol to speak; default none. */
  protocol?: string | undefined;
  /** A larger frame from the other side ends the connection; default 256 KiB. */
  maxFrameBytes?: number | undefined;
  /** Additional request headers; default none. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The URL of the link, under a backend URL without a trailing slash. */
export const linkUrl = (backendUrl: string) => new URL(`${backendUrl.replace(/^http/, 'ws')}/agent/ws`);

/** The URL of a live stream at that backend; undefined for a path that leads to another host. */
export function streamUrl(backendUrl: string, path: string): URL | undefined {
  const address = `${backendUrl.replace(/^http/, 'ws')}${path}`;
  if (!path.startsWith('/') || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === linkUrl(backendUrl).origin ? url : undefined;
}

/**
 * A socket that starts to connect. The token is only in the header, because URLs are logged on the way. Redirects are
 * not followed, so that the token reaches only the chosen address. Rejects with NetworkError if the proxy gives no
 * tunnel.
 */
export async function openSocket(url: URL, token: string, options: SocketOptions): Promise<WebSocket> {
  const trust = options.authorities === undefined ? {} : { ca: [...options.authorities] };
  return new WebSocket(url, options.protocol === undefined ? [] : [options.protocol], {
    headers: {
      Authorization: `Bearer ${token}`,
      ...(options.userAgent && { 'User-Agent': options.userAgent }),
      ...options.headers,
    },
    // Frames are small: a deflate context for each link would cost the service more memory than the bytes are worth.
    perMessageDeflate: false,
    maxPayload: options.maxFrameBytes ?? limits.maxFrameBytes,
    ...(options.closeTimeoutMs !== undefined && { closeTimeout: options.closeTimeoutMs }), // unknown to the types
    ...trust,
    ...(options.proxy && (await tunnelled(url, options.proxy, trust))),
  });
}

async function tunnelled(url: URL, proxy: URL, trust: { ca?: string[] }): Promise<ClientOptions> {
  const isSecure = url.protocol === 'wss:';
  const socket = isSecure
    ? await secureTunnel(proxy, url, trust)
    : await tunnel(proxy, `${url.hostname}:${url.port || '80'}`);
  return { createConnection: () => socket };
}
