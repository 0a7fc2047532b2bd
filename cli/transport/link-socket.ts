import { WebSocket, type ClientOptions } from 'ws';
import { limits } from '../../generated/protocol.js';
import { secureTunnel, tunnel } from './http.ts';

/** How the agent's socket is made; each may be left out. */
export interface SocketOptions {
  /** An `http://` proxy to go through, by CONNECT; default none. */
  proxy?: URL | undefined;
  /** Certificates in PEM that the server's must lead to; default: those Node trusts. */
  authorities?: readonly string[] | undefined;
  userAgent?: string | undefined;
  /** How long the answer to our close may take; default 30 s. */
  closeTimeoutMs?: number | undefined;
  /** The subprotocol to speak; default none. */
  protocol?: string | undefined;
  /** A larger frame of the other side ends it; default 256 KiB. */
  maxFrameBytes?: number | undefined;
  /** More headers of the request; default none. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The address of the link under a backend URL, which has no slash at its end. */
export const linkUrl = (backendUrl: string) => new URL(`${backendUrl.replace(/^http/, 'ws')}/agent/ws`);

/** The address of a live stream there; undefined for a path that leads to another host. */
export function streamUrl(backendUrl: string, path: string): URL | undefined {
  const address = `${backendUrl.replace(/^http/, 'ws')}${path}`;
  if (!path.startsWith('/') || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === linkUrl(backendUrl).origin ? url : undefined;
}

/**
 * A socket that begins to connect. The token travels in the header alone: addresses are written into logs on the way. Redirects are not
 * followed, so that it reaches nobody but the address that was chosen. Rejects with NetworkError if the proxy gives no tunnel.
 */
export async function openSocket(url: URL, token: string, options: SocketOptions): Promise<WebSocket> {
  const trust = options.authorities === undefined ? {} : { ca: [...options.authorities] };
  return new WebSocket(url, options.protocol === undefined ? [] : [options.protocol], {
    headers: {
      Authorization: `Bearer ${token}`,
      ...(options.userAgent && { 'User-Agent': options.userAgent }),
      ...options.headers,
    },
    // Frames are small, and a deflate context for each link costs the service more memory than the bytes are worth.
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
