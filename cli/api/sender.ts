import { setTimeout as pause } from 'node:timers/promises';
import type { Invocation } from '../command-line/command-spec.ts';
import { NetworkError, send, type HttpCall, type HttpReply } from '../transport/http.ts';
import { isRepeatable, retryAfterSeconds, retryWaitMs } from '../transport/retry.ts';

/**
 * Somebody looks at the terminal, or a script has a timeout of its own: a rate limit or a replica that stops is outlasted within a second or
 * two, and an outage is reported while it still matters. What a person has to mend is reported at once: a refused connection, DNS, TLS, a proxy.
 */
const maxTries = 3;
/** Of one call, in all; a later `Retry-After` ends it at once. */
const maxWaitSeconds = 10;

export type Sender = (request: HttpCall) => Promise<HttpReply>;

/**
 * Sends requests, again where that is safe and may help, and says on stderr what is waited for. Calls that wait at the same time say it once.
 * Throws what `send` throws. Ctrl-C ends the process, its waits among it.
 */
export function senderOf(call: Invocation): Sender {
  if (call.sendsOnce) return send;
  let [waiting, noted] = [0, 0];

  async function wait(waitMs: number, attempt: number, why: string, signal: AbortSignal | undefined): Promise<void> {
    if (waiting === 0) noted = 0;
    if (attempt > noted) note(call, `Trying again in ${Math.ceil(waitMs / 1000)} s: ${why}`);
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
        ...{ attempt, maxTries, maxWaitSeconds: maxWaitSeconds - waitedMs / 1000 },
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

/** Passes on what no other try would mend. */
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

/** A progress line may stand where the cursor is. */
function note({ io, environment }: Invocation, line: string): void {
  io.note(io.err.tty && !environment.dumb ? `\r\u001b[K${line}` : line);
}
