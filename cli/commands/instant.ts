import { usage } from '../errors.ts';
import type { Flags } from '../flags.ts';

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * The instant that a flag names, in RFC 3339: one already, or a span before `nowMs` as in `15m`, `36h` or `1h30m`. Undefined if the flag is absent.
 * Throws a usage error for anything else.
 */
function instantOf(flag: string, text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  if (rfc3339.test(text) && !Number.isNaN(Date.parse(text))) return text;
  const at = /^(\d{1,9}[smhdw])+$/.test(text) ? new Date(nowMs - spanSeconds(text) * 1000) : undefined;
  if (at && !Number.isNaN(at.getTime()) && at.getUTCFullYear() >= 1970) return at.toISOString();
  throw usage(
    `--${flag}: "${text}" is neither an instant nor a span`,
    `As in --${flag} 15m, --${flag} 1h30m or --${flag} 2026-11-21T09:00:00Z`,
  );
}

/**
 * The instants of `--since` and `--until`, both reckoned from the same now. Throws a usage error for a pair between which nothing can lie.
 */
export function rangeOf(flags: Flags): { since: string | undefined; until: string | undefined } {
  const nowMs = Date.now();
  const [since, until] = (['since', 'until'] as const).map((flag) => instantOf(flag, flags.text(flag), nowMs));
  if (since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until))
    throw usage(`--since is after --until: ${since} comes later than ${until}`);
  return { since, until };
}

const spanSeconds = (text: string) =>
  [...text.matchAll(/(\d+)([smhdw])/g)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (secondsOf[unit ?? ''] ?? 0),
    0,
  );
