import { badRequest } from '../kernel/errors.ts';
import { isLabelName, parseSelector } from '../kernel/label-selector.ts';

/** A number of robots, with one of these fields. */
export interface RobotNumber {
  count?: number;
  percent?: number;
}

/** What a caller can set of a budget, as on the wire; with one of `max_unavailable` and `min_available`. */
export interface BudgetSettings {
  name: string;
  selector?: string; // absent: all robots of the org
  group_by: string[]; // `@site`, `@fleet` or label keys; empty: all its robots together
  max_unavailable?: RobotNumber;
  min_available?: RobotNumber;
}

const isGroupKey = (key: string): boolean => key === '@site' || key === '@fleet' || isLabelName(key);

/**
 * Checks a budget.
 * @throws bad_request
 */
export function checkBudget({ selector, group_by: keys, ...limits }: Omit<BudgetSettings, 'name'>): void {
  if (selector !== undefined) parseSelector('body.selector', selector);
  const wrong = keys.find((key) => !isGroupKey(key));
  if (wrong !== undefined)
    throw badRequest(`body.group_by: takes @site, @fleet and label keys such as zone, not "${wrong}"`);
  const { max_unavailable: most, min_available: least } = limits;
  if ((most === undefined) === (least === undefined))
    throw badRequest(
      most === undefined
        ? 'body: "max_unavailable" or "min_available" is required'
        : 'body: max_unavailable and min_available exclude each other',
    );
  const [field, limit = {}] = most ? ['max_unavailable', most] : ['min_available', least];
  if ((limit.count === undefined) === (limit.percent === undefined))
    throw badRequest(`body.${field}: needs either count or percent`);
}

/** How many of `total` robots may be unavailable at the same time. Percentages are rounded up. */
export function allowedUnavailable(
  { max_unavailable: most, min_available: least }: BudgetSettings,
  total: number,
): number {
  if (most) return Math.min(total, numberOf(most, total));
  return Math.max(0, total - numberOf(least ?? {}, total));
}

/** A product such as 29 * 0.1 is a little more than it should be. */
const numberOf = ({ count, percent = 0 }: RobotNumber, total: number): number =>
  count ?? Math.max(0, Math.ceil((total * percent) / 100 - 1e-9));
