import { usage } from './errors.ts';
import type { Flags } from './flag-spec.ts';
import { isInstant, spanSeconds } from './instant.ts';
import { nextClockTime, parsePastTime, pastTimeForms } from './past-time.ts';

/**
 * The instant of a flag, in RFC 3339: as given, of a local time before now, or a span before now such as `15m`, `36h` or
 * `1h30m`. Undefined if the flag is absent. Throws a usage error for anything else.
 */
function instantOf(flag: string, text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  if (isInstant(text)) return text;
  const seconds = spanSeconds(text);
  const at = seconds === undefined ? parsePastTime(text, now) : new Date(now.getTime() - seconds * 1_000);
  if (at && !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1970) return at.toISOString();
  throw usage(
    `--${flag}: "${text}" is not a time or a time span`,
    text.startsWith('-') && spanSeconds(text.slice(1)) !== undefined
      ? `A time span has no sign; it is before now: --${flag} ${text.slice(1)}`
      : `Use ${pastTimeForms}`,
  );
}

/**
 * The instants of `--since` and `--until`, relative to the same now. A time of day as `--until` is the first one after
 * `--since`. Throws a usage error if `--since` is after `--until`.
 */
export function rangeOf(flags: Pick<Flags, 'text'>): { since: string | undefined; until: string | undefined } {
  const now = new Date();
  const since = instantOf('since', flags.text('since'), now);
  const text = flags.text('until');
  const next = since === undefined ? undefined : nextClockTime(text ?? '', new Date(since));
  const until = next?.toISOString() ?? instantOf('until', text, now);
  if (since !== undefined && until !== undefined && Date.parse(until) < Date.parse(since))
    throw usage(`--since is after --until: ${since} is later than ${until}`, 'Swap the two values');
  return { since, until };
}
