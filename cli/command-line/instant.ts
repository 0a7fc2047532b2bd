import { usage } from './errors.ts';
import type { Flags } from './flag-spec.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const span = /^(\d{1,9}[smhdw])+$/;
/** The longest timeout of a timer. */
const maxSpanSeconds = 24 * 86_400;
const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * True for an instant in RFC 3339, with its zone. `Date` alone accepts a 30 February and an hour 24 as the next day.
 */
export function isInstant(text: string): boolean {
  const wall = rfc3339.exec(text)?.[1]?.toUpperCase();
  if (wall === undefined) return false;
  const at = new Date(`${wall}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(wall);
}

/**
 * The instant of a flag, in RFC 3339: as given, or a span before `nowMs` such as `15m`, `36h` or `1h30m`. Undefined if
 * the flag is absent. Throws a usage error for anything else.
 */
function instantOf(flag: string, text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  if (isInstant(text)) return text;
  const at = span.test(text) ? new Date(nowMs - spanSeconds(text) * 1000) : undefined;
  if (at && !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1970) return at.toISOString();
  throw usage(
    `--${flag}: "${text}" is not a time or a time span`,
    text.startsWith('-') && span.test(text.slice(1))
      ? `A time span has no sign; it is before now: --${flag} ${text.slice(1)}`
      : `Use a value such as --${flag} 15m, --${flag} 1h30m or --${flag} 2026-11-21T09:00:00Z`,
  );
}

/**
 * The instants of `--since` and `--until`, relative to the same now. Throws a usage error if `--since` is after
 * `--until`.
 */
export function rangeOf(flags: Flags): { since: string | undefined; until: string | undefined } {
  const nowMs = Date.now();
  const [since, until] = (['since', 'until'] as const).map((flag) => instantOf(flag, flags.text(flag), nowMs));
  if (since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until))
    throw usage(`--since is after --until: ${since} is later than ${until}`, 'Swap the two values');
  return { since, until };
}

/**
 * The seconds of a flag's span, such as `90s`, `15m` or `1h30m`. Throws a usage error for anything else, and for zero.
 */
export function secondsOfSpan(flag: string, text: string): number {
  const seconds = span.test(text) ? spanSeconds(text) : 0;
  if (seconds > 0 && seconds <= maxSpanSeconds) return seconds;
  throw usage(
    `--${flag}: "${text}" is not a time span of at most 24 days`,
    `Use a value such as --${flag} 90s or --${flag} 1h30m`,
  );
}

const spanSeconds = (text: string) =>
  [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (secondsOf[unit ?? ''] ?? 0),
    0,
  );
