import { setTimeout as pause } from 'node:timers/promises';
import type { Invocation } from '../command-line/command-spec.ts';
import { NetworkError, type HttpCall, type HttpReply } from '../transport/http.ts';
import { isRepeatable, retryAfterSeconds, retryWaitMs } from '../transport/retry.ts';
import { tracedSend } from './trace.ts';

/**
 * A person is watching, or a script has its own timeout. Retries cover a rate limit or a replica that stops, within a
 * second or two; an outage is reported soon. Errors that a person has to fix are reported at once: a refused
 * connection, DNS, TLS, a proxy.
 */
const maxTries = 3;
/** Total wait of one call; a later `Retry-After` ends the call at once. */
const maxWaitSeconds = 10;

export type Sender = (request: HttpCall) => Promise<HttpReply>;

/**
 * Sends requests, retries if that is safe and may help, and reports waits on stderr. Calls that wait at the same time
 * report once. Throws what `send` throws. Ctrl-C ends the process, including its waits.
 */
export function senderOf(call: Invocation): Sender {
  const send = tracedSend(call);
  if (call.sendsOnce) return send;
  let [waiting, noted] = [0, 0];

  async function wait(waitMs: number, attempt: number, why: string, signal: AbortSignal | undefined): Promise<void> {
    if (waiting === 0) noted = 0;
    if (attempt > noted) note(call, `Retrying in ${Math.ceil(waitMs / 1000)} s: ${why}`);
    noted = Math.max(noted, attempt);
    waiting += 1;
    await pause(waitMs, undefined, { signal }).finally(() => (waiting -= 1));
  }

  return async function sendAgain(request) {
    const { method, headers, signal } = request;
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const result = await send(request).catch(lost);
      const waitMs = retryWaitMs(outcomeOf(result), {
        attempt,
        maxTries,
        maxWaitSeconds: maxWaitSeconds - waitedMs / 1000,
        isRepeatable: isRepeatable(method, 'Idempotency-Key' in headers),
      });
      if (waitMs === undefined) {
        if (result instanceof NetworkError) throw result;
        return result;
      }
      await wait(waitMs, attempt, reasonOf(result), signal);
      waitedMs += waitMs;
    }
  };
}

/** Rethrows errors that a retry cannot fix. */
function lost(error: unknown): NetworkError {
  if (error instanceof NetworkError && error.fault === 'lost') return error;
  throw error;
}

const outcomeOf = (result: HttpReply | NetworkError) =>
  result instanceof NetworkError
    ? 'lost'
    : {
        status: result.status,
        retryAfter: retryAfterSeconds(result.headers['retry-after'], result.headers.date),
      };

function reasonOf(result: HttpReply | NetworkError): string {
  if (result instanceof NetworkError) return 'the connection was lost';
  const { status } = result;
  const reasons: Record<number, string> = {
    409: 'the service asks to wait',
    429: 'too many requests',
    503: 'the service is busy',
  };
  return `${reasons[status] ?? 'no response behind the proxy'} (${status})`;
}

/** The cursor may be on a progress line. */
function note({ io, environment }: Invocation, line: string): void {
  io.note(io.err.tty && !environment.dumb ? `\r\u001b[K${line}` : line);
}
