import { retryWaitMs, type Outcome } from '../transport/retry.ts';
import { ConnectionError, retryAfterOf } from './errors.ts';
import { longestMs, pause, reasonOf } from './pause.ts';

export interface RetryOptions {
  /** Attempts per call, including the first; 1 disables retries. Default 5. */
  maxTries?: number;
  /** If the service asks for a longer wait, the call fails at once. Default 30 s. */
  maxWaitSeconds?: number;
  /**
   * Time limit of one attempt, for the whole response. Uploads have no limit, and downloads only until their headers.
   * Default 60 s.
   */
  timeoutSeconds?: number;
  /** Called before each wait, for example to log it. Default: nothing. */
  onRetry?: (retry: { method: string; url: string; attempt: number; waitMs: number; why: string }) => void;
}

/**
 * Requests that a call waits for. The platform's fetch holds a Request only while it needs it, and the Request its
 * signal by a weak reference (undici, lib/web/fetch/request.js). If it were garbage-collected, neither a timeout nor
 * the caller's signal would end the call.
 */
const underWay = new Set<Request>();
/** Requests of downloads that are read after their call, by response body. */
const askedFor = new WeakMap<ReadableStream, readonly Request[]>();

/**
 * A fetch that retries by the policy of `cli/transport/retry.ts`. Uploads are not retried: their file is already read.
 * All other outcomes are returned unchanged.
 */
export function retryingFetch(
  ask: (request: Request) => Promise<Response>,
  options: RetryOptions,
  mayRepeat: (request: Request) => boolean,
) {
  const { maxTries = 5, maxWaitSeconds = 30, timeoutSeconds = 60, onRetry } = options;

  return async function fetchAgain(request: Request): Promise<Response> {
    // An attempt has its own signal, which would miss an earlier abort.
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

/**
 * The complete response, or a ConnectionError; rejects if the caller aborts. A body can be sent only once, so `isKept`
 * keeps a copy for a retry.
 */
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
    if (over.signal.aborted) return new ConnectionError(`no response within ${timeoutSeconds} s`, { cause });
    return new ConnectionError('the connection failed, or was lost', { cause });
  } finally {
    clearTimeout(timer);
    underWay.delete(tried);
  }
}

/** Firefox's requests do not expose their body. */
const sendsFile = ({ headers }: Request) => headers.has('Content-Type') && !isJson(headers);
export const isJson = (headers: Headers) => headers.get('Content-Type')?.startsWith('application/json') ?? false;

/**
 * A response that breaks off counts as none. Downloads are left to be streamed; the body of an error, such as a
 * proxy's, is not one.
 */
async function whole(response: Response): Promise<Response> {
  if (response.body === null || (response.ok && !isJson(response.headers))) return response;
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

const heard = (outcome: Response | ConnectionError): Outcome =>
  outcome instanceof ConnectionError ? 'lost' : { status: outcome.status, retryAfter: retryAfterOf(outcome.headers) };
