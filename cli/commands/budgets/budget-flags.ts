import type { DisruptionBudgetUpdate } from '../../api/api.ts';
import type { Invocation } from '../../command-line/command-spec.ts';
import { usage } from '../../command-line/errors.ts';
import { parseRobotNumber } from '../../output/budget-text.ts';

/** Removes the groups. */
const none = 'none';
const example = 'Examples: --max-unavailable 2, --max-unavailable 10%, --min-available 80%';

/** What the flags set of a budget. @throws CliError, a usage error */
export function budgetOf({ flags }: Invocation): Omit<DisruptionBudgetUpdate, 'name'> {
  const [selector, keys] = [flags.text('selector'), flags.texts('by')];
  const [most, least] = [flags.text('max-unavailable'), flags.text('min-available')];
  if (most !== undefined && least !== undefined)
    throw usage('--max-unavailable and --min-available exclude each other', 'Use one of the two');
  if (keys.includes(none) && keys.length > 1) throw usage('--by none excludes other groups', 'Omit one of them');
  return {
    ...(selector !== undefined && { selector }),
    ...(keys.length > 0 && { group_by: keys.filter((key) => key !== none) }),
    ...(most !== undefined && { max_unavailable: numberIn('max-unavailable', most) }),
    ...(least !== undefined && { min_available: numberIn('min-available', least) }),
  };
}

function numberIn(flag: string, text: string) {
  const number = parseRobotNumber(text);
  if (number) return number;
  throw usage(`--${flag} takes a number or a percentage of robots, not "${text}"`, example);
}
