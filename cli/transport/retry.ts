import { waitAfter, type Ceilings } from './backoff.ts';

/*
 * The one policy of repeating HTTP calls: the published client, the command line and the agent differ only in how long they are willing to
 * wait. It runs in browsers, so it imports nothing of Node.
 */

/**
 * What a status says of another try. `temporary`: the service is busy or away; 502 and 504 are of a proxy before it, and 409 that says when to
 * come back is of a key whose first call is still in flight. `unclear`: it may pass, as 500 or the 401 of a suspended org that says when to come
 * back; a program without a caller to tell tries again. `final`: the same call gets the same response.
 */
type Outlook = 'temporary' | 'unclear' | 'final';

export function outlookOf(status: number, retryAfter: number | undefined): Outlook {
  const saysWhen = retryAfter !== undefined;
  if ([429, 502, 503, 504].includes(status) || (status === 409 && saysWhen)) return 'temporary';
  return status >= 500 || status === 408 || saysWhen ? 'unclear' : 'final';
}

type Header = string | null | undefined;

/**
 * `Retry-After` in seconds; undefined where it says none. The service sends seconds; a proxy before it may send a date, which is read by the
 * clock of its sender, from `Date`. It may be longer than a timer takes.
 */
export function retryAfterSeconds(retryAfter: Header, date: Header): number | undefined {
  const text = retryAfter ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  if (!text.endsWith(' GMT') || Number.isNaN(Date.parse(text))) return undefined;
  const sentMs = Date.parse(date ?? '');
  const waitMs = Date.parse(text) - (Number.isNaN(sentMs) ? Date.now() : sentMs);
  return Math.max(0, Math.ceil(waitMs / 1000));
}

/** Reads, and calls whose Idempotency-Key makes the service do them once. `hasKey`: the operation heeds a key, and has one. */
export const isRepeatable = (method: string, hasKey: boolean): boolean => hasKey || ['GET', 'HEAD'].includes(method);

/** What came of a try: a response, or a connection that was lost before all of one was there. */
export type Outcome = { status: number; retryAfter: number | undefined } | 'lost';

interface Try {
  /** How many there were, this one among them. */
  attempt: number;
  maxTries: number;
  /** A later `Retry-After` is not waited for. */
  maxWaitSeconds: number;
  /** Of the call; any other is repeated after 429 only, which says that it was not begun. */
  isRepeatable: boolean;
}

/** Without `Retry-After`: ceilings of 0.5, 1, 2, 4, 8, 8 … s. */
const ceilings: Ceilings = { firstMs: 500, lastMs: 8_000 };
/** Callers come up to a quarter later than they are told to, so that not all who were told come at once. */
const spread = 0.25;

/** How long to wait before the next try; undefined where the outcome is the end of the call. */
export function retryWaitMs(outcome: Outcome, { attempt, maxTries, maxWaitSeconds, isRepeatable }: Try) {
  if (attempt >= maxTries) return undefined;
  const backoffMs = waitAfter(attempt, ceilings);
  if (outcome === 'lost') return isRepeatable ? backoffMs : undefined;
  const { status, retryAfter = 0 } = outcome;
  const mayRepeat = isRepeatable || status === 429;
  if (!mayRepeat || outlookOf(status, outcome.retryAfter) !== 'temporary' || retryAfter > maxWaitSeconds)
    return undefined;
  return Math.max(retryAfter * 1000 * (1 + Math.random() * spread), backoffMs);
}
