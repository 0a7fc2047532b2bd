import { exitCode, type ExitCode } from './exit-codes.ts';

/** The codes of the API's error envelope; local failures use the same ones. */
export type ErrorCode =
  'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'http_error' | 'internal_server_error';

interface CliErrorOptions extends ErrorOptions {
  code?: ErrorCode;
  exit?: ExitCode;
  /** What to do next; printed last, where the eye finds it. */
  hint?: string | undefined;
  requestId?: string | undefined;
  /** The response's unchanged body, for `--json`. */
  raw?: Buffer | undefined;
  /** HTTP status; undefined without a response. */
  status?: number | undefined;
  /** Wait before a retry, as the response requests. */
  retryAfterSeconds?: number | undefined;
}

/** A failure that the user can act on: printed without a stack. Any other thrown error is a bug in this program. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: ErrorCode;
  readonly exit: ExitCode;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  readonly raw: Buffer | undefined;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: CliErrorOptions = {}) {
    super(message, options);
    this.code = options.code ?? 'http_error';
    this.exit = options.exit ?? exitCode.error;
    this.hint = options.hint;
    this.requestId = options.requestId;
    this.raw = options.raw;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** The same failure with another message or hint, from a caller with more context. */
  with({ message = this.message, hint }: { message?: string; hint: string }): CliError {
    const { code, exit, requestId, raw, status, retryAfterSeconds } = this;
    return new CliError(message, { code, exit, requestId, raw, status, retryAfterSeconds, hint, cause: this });
  }
}

/** The command line is invalid; nothing was sent. */
export const usage = (message: string, hint?: string) =>
  new CliError(message, { code: 'bad_request', exit: exitCode.usage, hint });
