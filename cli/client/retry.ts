import { retryWaitMs, type Outcome } from '../transport/retry.ts';
import { ConnectionError, retryAfterOf } from './errors.ts';
import { longestMs, pause, reasonOf } from './pause.ts';

export interface RetryOptions {
  /** Tries of one call, the first among them; 1 to never try again. Default 5. */
  maxTries?: number;
  /** A call that is told to come back later than so is given up at once. Default 30 s. */
  maxWaitSeconds?: number;
  /** One try has its whole answer within so long, or has failed. Uploads have as long as they take, and files after their headers. Default 60 s. */
  timeoutSeconds?: number;
  /** Called before each wait, for a log of one's own. Default: nothing. */
  onRetry?: (retry: { method: string; url: string; attempt: number; waitMs: number; why: string }) => void;
}

/**
 * Requests that a call waits for. Platforms' fetch holds a Request no longer than it needs it, and the Request its signal by a weak reference
 * (undici, lib/web/fetch/request.js): cleaned up in between, neither a time-out nor the caller's signal would end the call.
 */
const underWay = new Set<Request>();
/** Those of files that are read after their call, by the body. */
const askedFor = new WeakMap<ReadableStream, readonly Request[]>();

/**
 * A fetch that repeats calls by the policy of `cli/transport/retry.ts`, but no uploads, whose file was read. All else is given back as it came.
 */
export function patientFetch(
  ask: (request: Request) => Promise<Response>,
  options: RetryOptions,
  mayRepeat: (request: Request) => boolean,
) {
  const { maxTries = 5, maxWaitSeconds = 30, timeoutSeconds = 60, onRetry } = options;

  return async function fetchAgain(request: Request): Promise<Response> {
    // A try has a signal of its own, to which nothing more would be told.
    if (request.signal.aborted) throw reasonOf(request.signal);
    underWay.add(request);
    try {
      return await tryAgain(request);
    } finally {
      underWay.delete(request);
    }
  };

  async function tryAgain(request: Request): Promise<Response> {
    const tries = { maxTries: sendsFile(request) ? 1 : maxTries, maxWaitSeconds, isRepeatable: mayRepeat(request) };
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOf(ask, request, attempt < tries.maxTries, timeoutSeconds);
      const waitMs = retryWaitMs(heard(outcome), { attempt, ...tries });
      if (waitMs === undefined) {
        if (outcome instanceof ConnectionError) throw outcome;
        return outcome;
      }
      const why = outcome instanceof ConnectionError ? outcome.message : String(outcome.status);
      onRetry?.({ method: request.method, url: request.url, attempt, waitMs, why });
      await pause(waitMs, request.signal);
    }
  }
}

/** The whole answer, or that none came; rejects where the caller gave it up. A body can be sent once: who may have to send it again keeps one. */
async function attemptOf(
  ask: (request: Request) => Promise<Response>,
  request: Request,
  isKept: boolean,
  timeoutSeconds: number,
): Promise<Response | ConnectionError> {
  const { signal } = request;
  const over = new AbortController();
  const tried = new Request(isKept ? request.clone() : request, { signal: over.signal });
  const leave = () => over.abort(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const timer = sendsFile(request)
    ? undefined
    : setTimeout(() => over.abort(), Math.min(timeoutSeconds * 1000, longestMs));
  underWay.add(tried);
  try {
    const response = await whole(await ask(tried));
    if (response.body) askedFor.set(response.body, [request, tried]);
    return response;
  } catch (cause) {
    if (signal.aborted) throw reasonOf(signal);
    if (over.signal.aborted) return new ConnectionError(`no answer within ${timeoutSeconds} s`, { cause });
    return new ConnectionError('the connection failed, or was lost', { cause });
  } finally {
    clearTimeout(timer);
    underWay.delete(tried);
  }
}

/** Firefox's requests tell nothing of their body. */
const sendsFile = ({ headers }: Request) => headers.has('Content-Type') && !isJson(headers);
export const isJson = (headers: Headers) => headers.get('Content-Type')?.startsWith('application/json') ?? false;

/** An answer that breaks off in its middle did not come either. Files are left to be read as they come; what a proxy says of a failure is none. */
async function whole(response: Response): Promise<Response> {
  if (response.body === null || (response.ok && !isJson(response.headers))) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

const heard = (outcome: Response | ConnectionError): Outcome =>
  outcome instanceof ConnectionError ? 'lost' : { status: outcome.status, retryAfter: retryAfterOf(outcome.headers) };
