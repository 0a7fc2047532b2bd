import { CliError } from '../../command-line/errors.ts';
import { safeText } from '../../output/safe.ts';
import type { Failure } from './freshness.ts';

/** An error as it is shown. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof CliError))
    return { message: safeText(error instanceof Error ? error.message : String(error)), code: 'internal_server_error' };
  return {
    message: safeText(error.message),
    code: error.code,
    ...(error.hint !== undefined && { hint: safeText(error.hint) }),
    ...(error.requestId !== undefined && { requestId: safeText(error.requestId) }),
  };
}
