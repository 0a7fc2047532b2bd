import type { HttpReply } from '../transport/http.ts';
import { outlookOf, retryAfterSeconds } from '../transport/retry.ts';

/** A longer `Retry-After` is taken for a mistake. */
const maxWaitMs = 300_000;

/** What the response to a call of the agent says of another try. The agent has time, and nobody to tell: it tries again whatever may pass. */
export function refusalOf({ status, headers }: Pick<HttpReply, 'status' | 'headers'>) {
  const retryAfter = retryAfterSeconds(headers['retry-after'], headers.date);
  return {
    isFinal: outlookOf(status, retryAfter) === 'final',
    /** 0 where the service names no time. */
    minWaitMs: Math.min((retryAfter ?? 0) * 1000, maxWaitMs),
  };
}
