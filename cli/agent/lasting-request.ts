import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../transport/backoff.ts';
import { messageOf, NetworkError, send } from '../transport/http.ts';
import type { SocketOptions } from '../transport/link-socket.ts';
import { refusalOf } from './refusal.ts';

interface LastingRequest<Result> {
  method: 'GET' | 'POST';
  /** Without a trailing slash. */
  backendUrl: string;
  path: string;
  /** Read for each attempt. */
  readonly token: string;
  /** Sent as JSON. */
  body?: unknown;
  socketOptions: SocketOptions;
  maxReplyBytes: number;
  /** No attempt starts later than this after the first one. */
  giveUpAfterMs: number;
  signal: AbortSignal;
  /**
   * Reads the body of a response with status 200. Undefined if it is not from the service, as a proxy's page may have
   * this status too; the request is retried then.
   */
  read(body: Buffer): Result | undefined;
}

/**
 * Retries a request of the agent until a final response. @throws Error with the reason of a final refusal, or of the
 * last attempt; what `read` throws; the reason of the signal
 */
export async function lastingRequest<Result>(request: LastingRequest<Result>): Promise<Result> {
  const { signal, giveUpAfterMs } = request;
  const startedMs = performance.now();
  for (const waitMs of backoffMs()) {
    const outcome = await attempt(request);
    signal.throwIfAborted();
    if ('result' in outcome) return outcome.result;
    if (outcome.isFinal || performance.now() - startedMs + waitMs > giveUpAfterMs) throw new Error(outcome.why);
    await pause(Math.max(waitMs, outcome.minWaitMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  throw new Error('no response');
}

type Outcome<Result> = { result: Result } | { why: string; isFinal: boolean; minWaitMs: number };

async function attempt<Result>(request: LastingRequest<Result>): Promise<Outcome<Result>> {
  const { method, backendUrl, path, token, body, socketOptions, maxReplyBytes, signal, read } = request;
  const { userAgent, proxy, authorities } = socketOptions;
  try {
    const reply = await send({
      method,
      url: new URL(`${backendUrl}${path}`),
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        ...(userAgent && { 'User-Agent': userAgent }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      proxy,
      authorities,
      maxReplyBytes,
      signal,
    });
    if (reply.status !== 200) return { why: `the service responded with ${reply.status}`, ...refusalOf(reply) };
    const result = read(reply.body);
    return result === undefined
      ? { why: 'the response is not from the service', isFinal: false, minWaitMs: 0 }
      : { result };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { why: messageOf(error), isFinal: false, minWaitMs: 0 };
  }
}
