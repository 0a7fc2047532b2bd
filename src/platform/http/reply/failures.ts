import { DomainError, httpStatus, QuotaExceeded, Unavailable, type ErrorCode } from '../../../kernel/errors.ts';
import { isDatabaseAway, isDatabaseBusy } from '../../db/faults.ts';
import { violationOf } from '../../db/violations.ts';
import { quotaHeaders } from './quota-headers.ts';

/** Any other 4xx status, and 503: `http_error` on the wire. Only platform/http throws it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Whether the connection must close after the response, because the rest of the request was not read. */
  readonly closes: boolean;
  constructor(
    status: number,
    message: string,
    options: { headers?: Record<string, string>; closes?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
    this.closes = options.closes ?? false;
  }
}

export interface Failure {
  status: number;
  code: ErrorCode | 'http_error' | 'internal_server_error';
  message: string;
  headers: Record<string, string>;
  closes: boolean;
}

/** The only place where an error becomes a response. The message of an unexpected error is not sent. */
export function toFailure(thrown: unknown): Failure {
  const error = violationOf(thrown) ?? thrown;
  if (error instanceof DomainError) {
    const headers = {
      ...(error.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(error.retryAfterSeconds) }),
      ...(error instanceof QuotaExceeded ? quotaHeaders(error.room) : {}),
      ...(error.code === 'unauthorized' ? { 'WWW-Authenticate': 'Bearer' } : {}), // RFC 9110 §15.5.2
    };
    return { status: httpStatus[error.code], code: error.code, message: error.message, headers, closes: false };
  }
  if (error instanceof HttpError)
    return {
      status: error.status,
      code: 'http_error',
      message: error.message,
      headers: error.headers,
      closes: error.closes,
    };
  if (error instanceof Unavailable)
    return {
      status: 503,
      code: 'http_error',
      message: error.message,
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
      closes: false,
    };
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && /^53/.test(code))
    return {
      status: 503,
      code: 'http_error',
      message: 'the database is out of disk, memory or connections, try again',
      headers: { 'Retry-After': '10' },
      closes: false,
    };
  if (code === 'EFBIG')
    return {
      status: 413,
      code: 'http_error',
      message: 'the artifact is larger than the disk of the service',
      headers: {},
      closes: false,
    };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return {
      status: 503,
      code: 'http_error',
      message: 'the disk of the service is full, try again',
      headers: { 'Retry-After': '60' },
      closes: false,
    };
  if (isDatabaseBusy(error))
    return {
      status: 503,
      code: 'http_error',
      message: 'the database is busy, try again',
      headers: { 'Retry-After': '1' },
      closes: false,
    };
  if (isDatabaseAway(error))
    return {
      status: 503,
      code: 'http_error',
      message: 'the database is not reachable, try again',
      headers: { 'Retry-After': '1' },
      closes: false,
    };
  return { status: 500, code: 'internal_server_error', message: 'the service failed', headers: {}, closes: false };
}
