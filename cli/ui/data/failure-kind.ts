import { CliError } from '../../command-line/errors.ts';

/**
 * What the end of a call says of the connection to the service. `lost`: nothing answered. `resting`: calls have to wait. `failing`: what answered failed, or is
 * another program. `own`: it says something of that call alone. `nothing`: it did not come so far.
 */
type FailureKind = 'lost' | 'signedOut' | 'resting' | 'failing' | 'own' | 'nothing';

export function failureKindOf(error: unknown): FailureKind {
  if (!(error instanceof CliError)) return 'nothing';
  const { status, code, retryAfterSeconds } = error;
  // A good token whose org is suspended for now.
  if (status === 401 && retryAfterSeconds !== undefined) return 'resting';
  if (code === 'unauthorized') return 'signedOut';
  if (status === undefined) return code === 'http_error' ? 'lost' : 'nothing';
  if (status === 429 || status === 503) return 'resting';
  return status >= 500 || code === 'http_error' ? 'failing' : 'own';
}
