import {
  request as httpRequest,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/**
 * One HTTP call on node:http. The global fetch classes would add 15 ms of start-up on Node 20, half of what plain Node
 * takes. Redirects are not followed: a token must not reach an address that the user did not choose.
 */
export interface HttpCall {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: string | Buffer | { stream: Readable; bytes: number } | undefined;
  /**
   * Consumes the body of such a reply in chunks; the body in the reply is then empty. Undefined for a body that is
   * kept.
   */
  taker?: (status: number, headers: IncomingHttpHeaders) => ((chunk: Buffer) => Promise<void>) | undefined;
  /** An `http://` proxy to go through; default none. */
  proxy?: URL | undefined;
  /** CA certificates in PEM for the server; default: those that Node trusts. */
  authorities?: readonly string[] | undefined;
  /** A longer reply is rejected; default 256 MiB. */
  maxReplyBytes?: number | undefined;
  /** The call ends if the connection is silent for this long, while it connects or until the reply ends; default 30 s. */
  silenceMs?: number | undefined;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** `lost`: the connection was established, and broke before the reply was complete. */
export type NetworkFault = 'dns' | 'refused' | 'timeout' | 'tls' | 'proxy' | 'lost' | 'network';

/** There was no reply, or no complete one. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly fault: NetworkFault;

  constructor(fault: NetworkFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

const usualSilenceMs = 30_000;
/** A larger reply is not from the service. */
const usualMaxReplyBytes = 256 * 1024 * 1024;

/** @throws NetworkError without a complete reply */
export async function send(call: HttpCall): Promise<HttpReply> {
  let request: ClientRequest | undefined;
  try {
    request = await open(call);
    return await receive(request, call);
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    const fault = faultOf(error, request?.socket);
    // The client looks up and connects to the proxy only.
    const isOfProxy = call.proxy && (fault === 'dns' || fault === 'refused');
    throw new NetworkError(isOfProxy ? 'proxy' : fault, messageOf(error), { cause: error });
  }
}

async function open(call: HttpCall) {
  const { url, proxy, method, signal, silenceMs = usualSilenceMs } = call;
  const trust = call.authorities === undefined ? {} : { ca: [...call.authorities] };
  const headers = {
    ...call.headers,
    ...(call.body === undefined ? {} : { 'Content-Length': String(lengthOf(call.body)) }),
  };
  const options: RequestOptions = { method, headers, timeout: silenceMs, ...(signal && { signal }) };
  if (url.protocol === 'https:') {
    const { request } = await import('node:https');
    if (!proxy) return request(url, { ...options, ...trust });
    const secured = await secureTunnel(proxy, url, trust, call);
    // Only an Agent arms the timer of `timeout`, and this connection has none.
    secured.setTimeout(silenceMs);
    return request(url, { ...options, createConnection: () => secured });
  }
  if (!proxy) return httpRequest(url, options);
  const viaProxy = { ...options, path: url.href, headers: { ...headers, Host: url.host, ...proxyCredentials(proxy) } };
  return httpRequest({ ...viaProxy, host: hostOf(proxy), port: proxy.port || '80' });
}

const lengthOf = (body: NonNullable<HttpCall['body']>): number =>
  typeof body === 'object' && 'stream' in body ? body.bytes : Buffer.byteLength(body);

/** The body of a reply, unless `taker` consumes it. */
async function bodyOf(
  response: IncomingMessage,
  { taker, maxReplyBytes = usualMaxReplyBytes }: HttpCall,
): Promise<Buffer> {
  const take = taker?.(response.statusCode ?? 0, response.headers);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (take) {
      await take(chunk);
      continue;
    }
    bytes += chunk.length;
    if (bytes > maxReplyBytes) throw new NetworkError('network', `the reply is larger than ${maxReplyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function receive(request: ClientRequest, call: HttpCall): Promise<HttpReply> {
  const { silenceMs = usualSilenceMs } = call;
  return new Promise((resolve, reject) => {
    request.on('timeout', () =>
      request.destroy(new NetworkError('timeout', `no response within ${silenceMs / 1000} s`)),
    );
    request.on('error', reject);
    request.on('response', (response: IncomingMessage) => {
      bodyOf(response, call).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        (error: unknown) => {
          response.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    const { body } = call;
    if (typeof body === 'object' && 'stream' in body) {
      body.stream.on('error', (error) => request.destroy(error));
      body.stream.pipe(request);
      request.on('close', () => body.stream.destroy());
    } else request.end(body);
  });
}

type TunnelLimits = Pick<HttpCall, 'signal' | 'silenceMs'>;

/**
 * A connection to `host:port` through the proxy, by CONNECT. The limits end with its arrival. Rejects with NetworkError
 * if the proxy refuses, or is silent.
 */
export function tunnel(
  proxy: URL,
  target: string,
  { signal, silenceMs = usualSilenceMs }: TunnelLimits = {},
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = { Host: target, ...proxyCredentials(proxy) };
    const request = httpRequest({
      host: hostOf(proxy),
      port: proxy.port || '80',
      method: 'CONNECT',
      path: target,
      headers,
      timeout: silenceMs,
      ...(signal && { signal }),
    });
    request.on('timeout', () =>
      request.destroy(new NetworkError('timeout', `the proxy ${proxy.host} did not respond`)),
    );
    request.on('error', reject);
    request.on('connect', (response, socket) => {
      if (response.statusCode === 200) {
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new NetworkError('proxy', `the proxy ${proxy.host} responded with ${response.statusCode ?? 0}`));
    });
    request.end();
  });
}

/** TLS with the server of the URL, through the proxy; see `tunnel`. */
export async function secureTunnel(
  proxy: URL,
  url: URL,
  trust: { ca?: string[] },
  limits?: TunnelLimits,
): Promise<TLSSocket> {
  const socket = await tunnel(proxy, `${url.hostname}:${url.port || '443'}`, limits);
  const { connect } = await import('node:tls');
  const host = hostOf(url);
  // A server name may not be an IP address; the certificate is checked against `host` either way.
  return connect({ socket, host, servername: isIP(host) === 0 ? host : '', ...trust });
}

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** As typed, if it contains a `%` that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const tlsFault = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** `socket`: the socket of the request, which may still be in its TLS handshake. */
function faultOf(error: unknown, socket: Socket | null | undefined): NetworkFault {
  const code = codeOf(error);
  const isShakingHands = socket && 'secureConnecting' in socket && socket.secureConnecting === true;
  if ((code === 'ECONNRESET' || code === 'EPIPE') && socket && !isShakingHands) return 'lost';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  return tlsFault.test(code) ? 'tls' : 'network';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** An AggregateError of several refused addresses has an empty message: its code is used instead. */
export const messageOf = (error: unknown) =>
  error instanceof Error && error.message !== '' ? error.message : codeOf(error) || String(error);
