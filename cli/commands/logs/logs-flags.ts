import { usage } from '../../command-line/errors.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { rangeOf } from '../../command-line/time-range.ts';
import { formatOf } from '../../output/view.ts';

/** The service's default page size. */
export const usualRecords = 200;
/** The service's maximum page size. */
export const maxPageRecords = 1000;

/** A bounded query cannot be followed. */
export function refuseBounds({ flags }: Invocation): void {
  const bound = ['until', 'cursor', 'after', 'order'].find((name) => flags.has(name) && flags.isGiven(name));
  if (bound !== undefined) throw usage(`--${bound} and --follow exclude each other`, 'Use one of the two');
}

/** How many stored records are requested. */
export function tailOf(call: Invocation): number | undefined {
  const tail = call.flags.integer('tail');
  if (tail === 0) throw usage('--tail 0 requires --follow', 'Add --follow, or use --tail 1 or more');
  if (formatOf(call) === 'raw' && (tail ?? 0) > maxPageRecords)
    throw usage(
      `--json prints one response, of at most ${maxPageRecords} records`,
      `Use --tail ${maxPageRecords}, or -o jsonl`,
    );
  return tail;
}

export function filterOf({ flags }: Invocation) {
  return {
    level: flags.text('level') as LogLevel | undefined,
    source: flags.text('source'),
    q: flags.text('grep'),
    ...rangeOf(flags),
  };
}

/** The parser accepts only these values. */
type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';
