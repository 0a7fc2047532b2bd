import { durationText, parseDuration } from '../kernel/duration.ts';
import { badRequest } from '../kernel/errors.ts';

const maxSeconds = 30 * 86_400;

/** @throws bad_request for what is no duration, or outside of `leastSeconds` to 30 days */
export function checkDuration(field: string, text: string | undefined, leastSeconds: number): void {
  if (text === undefined) return;
  const seconds = parseDuration(text);
  if (seconds === undefined) throw badRequest(`${field}: takes a duration such as 90s, 30m, 2h or 1d, not "${text}"`);
  if (seconds < leastSeconds || seconds > maxSeconds)
    throw badRequest(`${field}: must be from ${durationText(leastSeconds)} to 30d`);
}
