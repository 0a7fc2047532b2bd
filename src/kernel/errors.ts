/**
 * The statuses of the codes that a service may throw; only `platform/http` creates `http_error` and
 * `internal_server_error`.
 */
export const httpStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
} as const;
export type ErrorCode = keyof typeof httpStatus;

/** An error that the caller can act on. Any other thrown error is a bug: 500, logged, message hidden. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/** What is left of a quota of an org. */
export interface QuotaRoom {
  name: string;
  limit: number;
  left: number;
}

/** The request would exceed a quota of the org. */
export class QuotaExceeded extends DomainError {
  readonly room: QuotaRoom;
  constructor(message: string, room: QuotaRoom) {
    super('conflict', message);
    this.room = room;
  }
}

/**
 * An external dependency of the service does not respond, or refuses a request: 503. The message is for callers and
 * contains no secret; the cause is for the log.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
  readonly retryAfterSeconds: number;
  constructor(message: string, options: ErrorOptions & { retryAfterSeconds: number }) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const badRequest = (message: string) => new DomainError('bad_request', message);
/** `retryAfterSeconds`: if the refusal is temporary. */
export const unauthorized = (message: string, options?: { retryAfterSeconds: number }) =>
  new DomainError('unauthorized', message, options);
/** Robots that retry at this rate cost little, and return soon after the suspension ends. */
export const orgSuspended = () => unauthorized('the org is suspended', { retryAfterSeconds: 60 });
export const forbidden = (message: string) => new DomainError('forbidden', message);
export const notFound = (what: string) => new DomainError('not_found', `${what} not found`);
/** `retryAfterSeconds`: if the conflict ends by itself. */
export const conflict = (message: string, options?: { retryAfterSeconds: number }) =>
  new DomainError('conflict', message, options);

/** What an error says: one for several addresses has a code and no message. */
export const errorText = (error: Error): string => error.message || String((error as { code?: unknown }).code);
