import { waitAfter, type Ceilings } from './backoff.ts';

/*
 * The only retry policy for HTTP calls: the published client, the command line and the agent differ only in how long
 * they are willing to wait. It runs in browsers, so it imports nothing from Node.
 */

/**
 * What a status says about a retry. `temporary`: the service is busy or down. 502 and 504 come from a proxy in front of
 * it; 409 with `Retry-After` means that the first call with this key is still in flight. `unclear`: it may pass, as
 * 500, or the 401 of a suspended org with `Retry-After`; a program without a caller to inform retries. `final`: the
 * same call gets the same response.
 */
type Outlook = 'temporary' | 'unclear' | 'final';

export function retryClassOf(status: number, retryAfter: number | undefined): Outlook {
  const saysWhen = retryAfter !== undefined;
  if ([429, 502, 503, 504].includes(status) || (status === 409 && saysWhen)) return 'temporary';
  return status >= 500 || status === 408 || saysWhen ? 'unclear' : 'final';
}

type Header = string | null | undefined;

/**
 * `Retry-After` in seconds; undefined without a valid value. The service sends seconds. A proxy in front of it may send
 * a date, which is read by the sender's clock, from `Date`. The value may exceed the maximum of a timer.
 */
export function retryAfterSeconds(retryAfter: Header, date: Header): number | undefined {
  const text = retryAfter ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  if (!text.endsWith(' GMT') || Number.isNaN(Date.parse(text))) return undefined;
  const sentMs = Date.parse(date ?? '');
  const waitMs = Date.parse(text) - (Number.isNaN(sentMs) ? Date.now() : sentMs);
  return Math.max(0, Math.ceil(waitMs / 1000));
}

/**
 * Reads, and calls that the service carries out once because of their Idempotency-Key. `hasKey`: the operation supports
 * a key, and has one.
 */
export const isRepeatable = (method: string, hasKey: boolean): boolean => hasKey || ['GET', 'HEAD'].includes(method);

/** The outcome of an attempt: a response, or a connection lost before the response was complete. */
export type Outcome = { status: number; retryAfter: number | undefined } | 'lost';

interface Try {
  /** The number of attempts, including this one. */
  attempt: number;
  maxTries: number;
  /** A longer `Retry-After` is not waited for. */
  maxWaitSeconds: number;
  /** Any other call is retried only after 429, which says that it was not begun. */
  isRepeatable: boolean;
}

/** Without `Retry-After`: ceilings of 0.5, 1, 2, 4, 8, 8 … s. */
const ceilings: Ceilings = { firstMs: 500, lastMs: 8_000 };
/** Callers wait up to a quarter longer than `Retry-After`, so that they do not all return at once. */
const spread = 0.25;

/** How long to wait before the next attempt; undefined if the outcome is the end of the call. */
export function retryWaitMs(outcome: Outcome, { attempt, maxTries, maxWaitSeconds, isRepeatable }: Try) {
  if (attempt >= maxTries) return undefined;
  const backoffMs = waitAfter(attempt, ceilings);
  if (outcome === 'lost') return isRepeatable ? backoffMs : undefined;
  const { status, retryAfter = 0 } = outcome;
  const mayRepeat = isRepeatable || status === 429;
  if (!mayRepeat || retryClassOf(status, outcome.retryAfter) !== 'temporary' || retryAfter > maxWaitSeconds)
    return undefined;
  return Math.max(retryAfter * 1000 * (1 + Math.random() * spread), backoffMs);
}
