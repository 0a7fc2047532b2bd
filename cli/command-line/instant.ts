import { usage } from './errors.ts';

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
 * The seconds of a flag's span, such as `90s`, `15m` or `1h30m`. Throws a usage error for anything else, and for zero.
 */
export function secondsOfSpan(flag: string, text: string): number {
  const seconds = spanSeconds(text) ?? 0;
  if (seconds > 0 && seconds <= maxSpanSeconds) return seconds;
  throw usage(
    `--${flag}: "${text}" is not a time span of at most 24 days`,
    `Use a value such as --${flag} 90s or --${flag} 1h30m`,
  );
}

/** The seconds of a text such as `15m`, `36h` or `1h30m`; undefined for any other text. */
export function spanSeconds(text: string): number | undefined {
  if (!span.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (secondsOf[unit ?? ''] ?? 0),
    0,
  );
}
