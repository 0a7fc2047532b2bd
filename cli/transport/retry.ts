import type { HttpReply } from './http.ts';

/** A longer `Retry-After` is taken for a mistake. */
const maxRetryAfterMs = 300_000;
const mayPass = [408, 429];

/**
 * Whether asking again cannot change this refusal. One that names a time to ask again passes: so a 401 tells of an org that is suspended, and
 * not of a token that has ended.
 */
export const isFinalRefusal = ({ status, headers }: Pick<HttpReply, 'status' | 'headers'>): boolean =>
  status < 500 && !mayPass.includes(status) && headers['retry-after'] === undefined;

/** For how long the service asks not to be asked again; 0 where it does not say. */
export function retryAfterMs(headers: HttpReply['headers']): number {
  const seconds = Number(headers['retry-after'] ?? 0);
  return seconds > 0 ? Math.min(seconds * 1000, maxRetryAfterMs) : 0;
}
