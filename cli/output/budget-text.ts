import type { DisruptionBudget } from '../api/api.ts';

type RobotNumber = NonNullable<DisruptionBudget['max_unavailable']>;

/** A number of robots that a person typed: `2` or `10%`. Undefined for another text; the service checks the limits. */
export function parseRobotNumber(text: string): RobotNumber | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (unit === '%') return { percent: Number(amount) };
  return amount === undefined || amount.includes('.') ? undefined : { count: Number(amount) };
}

const numberText = ({ count, percent }: RobotNumber): string => (percent === undefined ? `${count}` : `${percent}%`);

/** `at most 10% unavailable`, or `at least 3 available`. */
export const limitText = ({ max_unavailable: most, min_available: least }: DisruptionBudget): string =>
  most ? `at most ${numberText(most)} unavailable` : least ? `at least ${numberText(least)} available` : '';
