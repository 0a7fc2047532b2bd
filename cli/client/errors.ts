import type { components } from '../../generated/api.d.ts';
import { retryClassOf, retryAfterSeconds } from '../transport/retry.ts';

type KnownCode = components['schemas']['ErrorBody']['code'];

/** The service refused the request, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** From the error envelope; `http_error` if there was none, so the response is not the service's. */
  readonly code: KnownCode;
  /** Identifies the call in the service's log; default none. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry; default none. */
  readonly retryAfter: number | undefined;
  /** The same call may succeed later; its retries are used up, or it is not safe to repeat. */
  readonly isRetryable: boolean;

  constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.isRetryable = retryClassOf(facts.status, facts.retryAfter) === 'temporary';
  }
}

/** No complete response arrived; `cause` has the platform's details. The request may have taken effect. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/**
 * Why a live stream did not open, or ended permanently. `unopened`: the connection failed, and a browser gives no
 * details; `lost`: it broke; `gone`: there is nothing left to resume; `replaced`: another connection took over the
 * shell; `idle`: no input or output for too long; `broken`: the robot's agent violated the protocol; `unread`: the
 * output of a raw shell was not read. Open enum: expect new values.
 */
export type StreamReason =
  | 'unopened'
  | 'lost'
  | 'ended'
  | 'offline'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'unsupported'
  | 'restarting'
  | 'failed'
  | 'gone'
  | 'replaced'
  | 'busy'
  | 'idle'
  | 'broken'
  | 'unread'
  | (string & Record<never, never>);

/** For these reasons a reconnect cannot help. */
const finalReasons: readonly StreamReason[] = [
  ...['invalid', 'broken', 'unauthorized', 'forbidden', 'not_found', 'gone', 'unsupported'],
];

/** A live stream did not open, or ended permanently. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  /** The close code of the stream; 1006 if the connection broke or was refused. */
  readonly code: number;
  readonly reason: StreamReason;
  /** A reconnect may succeed. */
  readonly isRetryable: boolean;

  /** `isRetryable`: default by the reason. */
  constructor(
    message: string,
    code: number,
    reason: StreamReason,
    options: ErrorOptions & { isRetryable?: boolean } = {},
  ) {
    super(message, options);
    this.code = code;
    this.reason = reason;
    this.isRetryable = options.isRetryable ?? !finalReasons.includes(reason);
  }
}

/** The error for a refused request. `envelope` is the response's body, as far as it is valid JSON. */
export function refusalOf(response: Response, envelope: unknown): ApiError {
  const { status } = response;
  const { code, message } = (envelope as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (response.type === 'opaqueredirect' || response.headers.has('Location')) return ledElsewhere(response);
  if (typeof code !== 'string' || typeof message !== 'string')
    return refused(`the response was ${status}, in a format that is not the service's`, 'http_error', response);
  return refused(message, code, response);
}

/** A successful response of the wrong kind, such as the sign-in page of a proxy. */
export const strangeAnswer = (response: Response): ApiError =>
  refused(
    `the response was ${response.status} with ${response.headers.get('Content-Type') ?? 'no type'} in place of JSON`,
    'http_error',
    response,
  );

/** Fetch would follow with GET instead of POST, and without the token. A browser page cannot see the target. */
const ledElsewhere = (response: Response): ApiError =>
  refused(
    `the call is led to ${response.headers.get('Location') ?? 'another address'}, and does not go there: baseUrl is to say who answers`,
    'http_error',
    response,
  );

const refused = (message: string, code: string, { status, headers }: Response) =>
  new ApiError(message, {
    status,
    code,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
  });

/** In seconds. */
export const retryAfterOf = (headers: Headers): number | undefined =>
  retryAfterSeconds(headers.get('Retry-After'), headers.get('Date'));
