import { CliError } from '../../command-line/errors.ts';
import { safeText } from '../../output/safe.ts';
import type { Failure } from './freshness.ts';

/** What is shown of an error. */
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
