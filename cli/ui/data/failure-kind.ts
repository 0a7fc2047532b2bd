import { CliError } from '../../command-line/errors.ts';

/**
 * What a failed call says about the connection. `lost`: no response. `resting`: calls must wait. `failing`: the
 * response is a failure, or from another program. `own`: it concerns that call alone. `nothing`: the call did not get
 * that far.
 */
type FailureKind = 'lost' | 'signedOut' | 'resting' | 'failing' | 'own' | 'nothing';

export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof CliError)) return 'nothing';
  const { status, code, retryAfterSeconds } = error;
  // A valid token whose org is suspended for now.
  if (status === 401 && retryAfterSeconds !== undefined) return 'resting';
  if (code === 'unauthorized') return 'signedOut';
  if (status === undefined) return code === 'http_error' ? 'lost' : 'nothing';
  if (status === 429 || status === 503) return 'resting';
  return status >= 500 || code === 'http_error' ? 'failing' : 'own';
}
