import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Order } from '../../../generated/frames.js';
import { messageOf } from '../../transport/http.ts';
import type { SocketOptions } from '../../transport/link-socket.ts';
import { lastingRequest } from '../lasting-request.ts';
import type { Troubles } from '../troubles.ts';
import { makeOwnFolder, writeDurably } from './durable.ts';
import { StepFailed } from './handler.ts';

/** Source of payloads that are not sent over the link. */
export interface PayloadSource {
  /** Without a trailing slash. */
  backendUrl: string;
  /** Read for each attempt of a request. */
  readonly token: string;
  socketOptions: SocketOptions;
  /** The proxy for another host, from which artifacts may come; default none. */
  proxyFor?: ((url: URL) => URL | undefined) | undefined;
  /** Learns of other hosts that fail; default: nobody does. */
  troubles?: Troubles | undefined;
}

const maxPayloadBytes = 2 * 1024 * 1024;
/** As a JSON string in its envelope, a payload may be twice as long, or six times with control characters. */
const maxReplyBytes = 8 * 1024 * 1024;
/** Shorter than the service's timeout for progress of an order. */
const giveUpAfterMs = 20 * 60_000;

export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

/**
 * The payload of the order, with a verified digest: from the order, else from `directory`, else from the service. A
 * downloaded payload is kept in `directory`. Throws StepFailed, and the reason of the signal.
 */
export async function payloadOf(
  order: Order,
  directory: string,
  source: PayloadSource,
  signal: AbortSignal,
): Promise<string> {
  const path = join(directory, 'payload');
  const kept = order.payload ?? (await readFile(path, 'utf8').catch(() => undefined));
  if (kept !== undefined && sha256(kept) === order.digest) return kept;
  const text = order.payload ?? (await fetchPayload(order.digest, source, signal));
  const digest = sha256(text);
  if (digest !== order.digest) throw new StepFailed('digest_mismatch', `the SHA-256 of the payload is ${digest}`);
  await makeOwnFolder(directory);
  await writeDurably(path, text);
  return text;
}

/**
 * Retries until a final response of the service, for at most 20 min. Throws StepFailed, and the reason of the signal.
 */
export async function fetchPayload(digest: string, source: PayloadSource, signal: AbortSignal): Promise<string> {
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new StepFailed('digest_mismatch', 'the digest of the order is invalid');
  const { backendUrl, socketOptions } = source;
  return lastingRequest({
    backendUrl,
    socketOptions,
    // A rotation may replace it between attempts.
    get token() {
      return source.token;
    },
    maxReplyBytes,
    giveUpAfterMs,
    signal,
    method: 'GET',
    path: `/agent/payloads/${digest}`,
    read(body) {
      const payload = payloadIn(body);
      if (payload !== undefined && Buffer.byteLength(payload) > maxPayloadBytes)
        throw new Error(`it is larger than ${maxPayloadBytes} bytes`);
      return payload;
    },
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new StepFailed('payload_unavailable', `the payload could not be downloaded: ${messageOf(error)}`);
  });
}

function payloadIn(body: Buffer): string | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data?: { payload?: unknown } };
    return typeof data?.payload === 'string' ? data.payload : undefined;
  } catch {
    return undefined;
  }
}
