import type { components } from '../../generated/api.d.ts';
import { outlookOf, retryAfterSeconds } from '../transport/retry.ts';

type KnownCode = components['schemas']['ErrorBody']['code'];

/** The service refused, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Of the error envelope; `http_error` where the answer had none, which is then not the service's. */
  readonly code: KnownCode;
  /** Names the call in the log of the service; default none. */
  readonly requestId: string | undefined;
  /** So many seconds are to pass before another try; default none. */
  readonly retryAfter: number | undefined;
  /** The same call may be answered otherwise later; the tries of this one are used up, or it is not harmless to repeat. */
  readonly isRetryable: boolean;

  constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.isRetryable = outlookOf(facts.status, facts.retryAfter) === 'temporary';
  }
}

/** No answer came, or not a whole one; `cause` says what the platform knows of it. What was asked may be done already. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/**
 * Why a live stream did not begin, or ended for good. `unopened`: no connection came about, and a browser tells no more; `lost`: it broke off; `gone`: there is
 * nothing left to go on with; `replaced`: another connection went on with the shell; `idle`: nothing was typed or shown for too long; `broken`: the robot's agent
 * does not keep to the protocol; `unread`: what a raw shell showed was not read. Read it as an open list.
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

/** After these no other connection would fare better. */
const finalReasons: readonly StreamReason[] = [
  ...['invalid', 'broken', 'unauthorized', 'forbidden', 'not_found', 'gone', 'unsupported'],
];

/** A live stream did not begin, or ended for good. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  /** The close code of the stream; 1006 where the connection broke or was refused. */
  readonly code: number;
  readonly reason: StreamReason;
  /** Another connection may fare better. */
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

/** What an answer says of a refusal. `envelope` is its body, parsed as far as it is JSON. */
export function refusalOf(response: Response, envelope: unknown): ApiError {
  const { status } = response;
  const { code, message } = (envelope as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  if (response.type === 'opaqueredirect' || response.headers.has('Location')) return ledElsewhere(response);
  if (typeof code !== 'string' || typeof message !== 'string')
    return refused(`the answer was ${status}, with something that is not the service's`, 'http_error', response);
  return refused(message, code, response);
}

/** A good answer that is not what was asked for, such as the page of a proxy that wants somebody to sign in. */
export const strangeAnswer = (response: Response): ApiError =>
  refused(
    `the answer was ${response.status} with ${response.headers.get('Content-Type') ?? 'no type'}, where JSON was asked for`,
    'http_error',
    response,
  );

/** Fetch would follow with a GET in place of a POST, and without the token. A page is not told where to. */
const ledElsewhere = (response: Response): ApiError =>
  refused(
    `the call is led to ${response.headers.get('Location') ?? 'another address'}, and does not go there: baseUrl is to say who answers`,
    'http_error',
    response,
  );

const refused = (message: string, code: string, { status, headers }: Response) =>
  new ApiError(message, {
    ...{ status, code, requestId: headers.get('X-Request-Id') ?? undefined, retryAfter: retryAfterOf(headers) },
  });

/** In seconds. */
export const retryAfterOf = (headers: Headers): number | undefined =>
  retryAfterSeconds(headers.get('Retry-After'), headers.get('Date'));
