import { exitCode, type ExitCode } from './exit-codes.ts';

/** The codes of the API's error envelope; failures on this side use the same ones. */
export type ErrorCode =
  'bad_request' | 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'http_error' | 'internal_server_error';

interface CliErrorOptions extends ErrorOptions {
  code?: ErrorCode;
  exit?: ExitCode;
  /** What to do about it; printed last, so that it is what the eye finds. */
  hint?: string | undefined;
  requestId?: string | undefined;
  /** The reply's body as it came; `--json` gives it on unchanged. */
  raw?: Buffer | undefined;
  /** Of the reply; undefined where none came. */
  status?: number | undefined;
  /** What the reply asks to wait before the next try. */
  retryAfterSeconds?: number | undefined;
}

/** A failure that the user can act on: printed without a stack. Anything else that is thrown is a bug of ours. */
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

  /** The same failure with another message or hint, from code that knows more about it. */
  with({ message = this.message, hint }: { message?: string; hint: string }): CliError {
    const { code, exit, requestId, raw, status, retryAfterSeconds } = this;
    return new CliError(message, { code, exit, requestId, raw, status, retryAfterSeconds, hint, cause: this });
  }
}

/** The command line is wrong; nothing was sent. */
export const usage = (message: string, hint?: string) =>
  new CliError(message, { code: 'bad_request', exit: exitCode.usage, hint });
