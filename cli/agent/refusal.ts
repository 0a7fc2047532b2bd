import type { HttpReply } from '../transport/http.ts';
import { retryClassOf, retryAfterSeconds } from '../transport/retry.ts';

/** A longer `Retry-After` is treated as a mistake. */
const maxWaitMs = 300_000;

/**
 * What the response to an agent's request says about a retry. The agent has time and no user to inform, so it retries
 * whatever may pass.
 */
export function refusalOf({ status, headers }: Pick<HttpReply, 'status' | 'headers'>) {
  const retryAfter = retryAfterSeconds(headers['retry-after'], headers.date);
  return {
    isFinal: retryClassOf(status, retryAfter) === 'final',
    /** 0 if the service names no time. */
    minWaitMs: Math.min((retryAfter ?? 0) * 1000, maxWaitMs),
  };
}
