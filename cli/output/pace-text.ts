import type { Rollout, RolloutCreate } from '../api/api.ts';
import { usage } from '../command-line/errors.ts';

/*
 * The rate of a rollout as people type it, and as commands print it. What is printed can be typed again.
 *
 *   rate: <n>/min [x<factor> per <n> [to <n>/min]]
 */

type Pace = NonNullable<Rollout['pace']>;
type Rate = Pick<NonNullable<RolloutCreate['pace']>, 'per_minute' | 'growth'>;

const number = String.raw`(\d+(?:\.\d+)?)`;
const perMinute = String.raw`${number}\s*/\s*min`;
const form = new RegExp(String.raw`^${perMinute}(?:\s+x\s*${number}\s+per\s+(\d+)(?:\s+to\s+${perMinute})?)?$`);

/** The rate that a person typed; the service checks its limits. @throws CliError, a usage error */
export function parseRate(text: string): Rate {
  const [whole, rate, factor, applied, highest] = form.exec(text.trim()) ?? [];
  if (whole === undefined)
    throw usage(
      `rate "${text}": takes robots per minute, and how they grow: <n>/min [x<factor> per <n> [to <n>/min]]`,
      'Examples: --rate 10/min, --rate "10/min x2 per 100 to 500/min"',
    );
  return {
    per_minute: Number(rate),
    ...(factor !== undefined && {
      growth: {
        factor: Number(factor),
        after_applied: Number(applied),
        ...(highest !== undefined && { up_to: Number(highest) }),
      },
    }),
  };
}

export function rateText({ per_minute: rate, growth }: Rate): string {
  if (rate === undefined) return '';
  if (!growth) return `${rate}/min`;
  const { factor, after_applied: applied, up_to: highest } = growth;
  return `${rate}/min x${factor} per ${applied}${highest === undefined ? '' : ` to ${highest}/min`}`;
}

/** For reading only: each part has a flag of its own. Empty without a pace. */
export const paceText = (pace: Pace = {}): string =>
  [
    pace.max_in_flight === undefined ? '' : `${pace.max_in_flight} in flight`,
    rateText(pace),
    pace.downloads_per_site === undefined
      ? ''
      : `${pace.downloads_per_site} download${pace.downloads_per_site === 1 ? '' : 's'} per site`,
  ]
    .filter((part) => part !== '')
    .join(', ');
