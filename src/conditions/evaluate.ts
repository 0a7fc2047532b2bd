import type { Expression, Term } from './expression.ts';
import type { Facts } from './facts.ts';
import { valueText } from './measures.ts';
import { holds } from './satisfiable.ts';

/**
 * Whether the expression holds; undefined if that depends on a value that is not known. `not` of an unknown flag holds:
 * a battery that does not report whether it charges does not charge.
 */
export function evaluate(expression: Expression, facts: Facts): boolean | undefined {
  let isOpen = false;
  for (const terms of expression) {
    const truth = evaluateAll(terms, facts);
    if (truth === true) return true;
    isOpen ||= truth === undefined;
  }
  return isOpen ? undefined : false;
}

function evaluateAll(terms: readonly Term[], facts: Facts): boolean | undefined {
  let isOpen = false;
  for (const term of terms) {
    const actual = facts.valueOf(term.name);
    if (actual === undefined) isOpen ||= term.value !== false;
    else if (!holds(term, actual)) return false;
  }
  return isOpen ? undefined : true;
}

/** Why the expression holds, for people: the values that its first true part compares. */
export function explain(expression: Expression, facts: Facts): string {
  const part = expression.find((terms) => evaluateAll(terms, facts) === true) ?? [];
  return part.map((term) => termMessage(term, facts)).join(', ');
}

/** `battery 3 % (< 15)`; a flag is its own name. */
function termMessage({ name, measure, operator, value, text }: Term, facts: Facts): string {
  if (typeof value === 'boolean') return text;
  const actual = facts.valueOf(name);
  return operator === '=' || actual === undefined
    ? text
    : `${name} ${valueText(measure, actual)} (${operator} ${valueText(measure, value)})`;
}
