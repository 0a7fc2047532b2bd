import type { components } from '../../generated/api.d.ts';

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

  constructor(message: string, facts: Pick<ApiError, 'status' | 'code' | 'requestId' | 'retryAfter'>) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
  }
}

/** No answer came, or not a whole one; `cause` says what the platform knows of it. What was asked may be done already. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A live stream did not begin, or ended for good. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
  /** The close code of the stream; 1006 where the connection broke or was refused. */
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** What an answer says of a refusal. `envelope` is its body, parsed as far as it is JSON. */
export function refusalOf({ status, headers }: Response, envelope: unknown): ApiError {
  const { code, message } = (envelope as { error?: { code?: unknown; message?: unknown } } | undefined)?.error ?? {};
  const facts = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
  };
  if (typeof code === 'string' && typeof message === 'string') return new ApiError(message, { ...facts, code });
  return new ApiError(`the answer was ${status}, with something that is not the service's`, {
    ...facts,
    code: 'http_error',
  });
}

/** The service says seconds; a date, which others say, is none of its answers. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After') ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
