import type { Expression, Term } from './expression.ts';
import { compareValues, isOrdered, type Measure, type Value } from './measures.ts';

/** The first part of the expression that no value can make true, as text; undefined if there is none. */
export function findImpossible(expression: Expression): string | undefined {
  const part = expression.find((terms) => !canHold(terms));
  return part && part.map(({ text }) => text).join(' and ');
}

/** Whether values exist that make both true. */
export const overlap = (one: Expression, other: Expression): boolean =>
  one.some((terms) => other.some((others) => canHold([...terms, ...others])));

/** Whether values exist that make all terms true. */
function canHold(terms: readonly Term[]): boolean {
  const names = new Set(terms.map(({ name }) => name));
  return [...names].every((name) => canHoldForOne(terms.filter((term) => term.name === name)));
}

/** The same for terms of one measure. */
function canHoldForOne(given: readonly Term[]): boolean {
  const terms = [...given, ...given.slice(0, 1).flatMap(withinRange)];
  const equals = terms.filter(({ operator }) => operator === '=');
  const [first] = equals;
  // A flag has only two values, so that excluding one requires the other.
  if (first) return terms.every((term) => holds(term, first.value));
  if (terms.some(({ measure }) => measure.kind === 'flag'))
    return [true, false].some((value) => terms.every((term) => holds(term, value)));
  const ordered = terms.filter(({ operator }) => operator !== '!=');
  return ordered.every((low) =>
    ordered.every((high) => !isAbove(low) || !isBelow(high) || leavesRoom(low, high, terms)),
  );
}

/** What holds for every value of the measure. */
const withinRange = (term: Term): Term[] =>
  (term.measure.range ?? []).map((value, index) => ({ ...term, operator: index === 0 ? '>=' : '<=', value }));

const isAbove = ({ operator }: Term) => operator === '>' || operator === '>=';
const isBelow = ({ operator }: Term) => operator === '<' || operator === '<=';

/** Whether a value lies between a lower and an upper bound. */
function leavesRoom(low: Term, high: Term, terms: readonly Term[]): boolean {
  const { measure } = low;
  // Levels are whole numbers: above one of them begins at the next.
  const least = measure.kind === 'level' && low.operator === '>' ? Number(low.value) + 1 : low.value;
  const most = measure.kind === 'level' && high.operator === '<' ? Number(high.value) - 1 : high.value;
  const order = compareValues(measure, least, most);
  return order < 0 || (order === 0 && terms.every((term) => holds(term, least)));
}

/** Whether a known value makes a term true. */
export function holds({ measure, operator, value }: Term, actual: Value): boolean {
  if (operator === '=' || operator === '!=') return isSame(measure, actual, value) === (operator === '=');
  if (typeof actual === 'boolean' || !isOrdered(measure, actual)) return false;
  const order = compareValues(measure, actual, value);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

const isSame = (measure: Measure, one: Value, other: Value): boolean =>
  typeof one === typeof other &&
  (measure.kind === 'version' ? compareValues(measure, one, other) === 0 : one === other);
