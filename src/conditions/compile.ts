import { badRequest } from '../kernel/errors.ts';
import { readLabels } from '../kernel/label-selector.ts';
import { durationText, parseDuration } from '../kernel/duration.ts';
import { ExpressionError, parseExpression, type Expression } from './expression.ts';
import { maxForSeconds, type CompiledRule, type ConditionRule, type RobotPlace, type Scope } from './model.ts';
import { findImpossible, overlap } from './satisfiable.ts';

/** The compiled form of a stored rule. */
export const compileRule = ({
  id,
  name,
  severity,
  scope,
  expression,
  forSeconds,
  clear,
}: ConditionRule): CompiledRule => ({
  id,
  name,
  severity,
  appliesTo: scopeTest(scope),
  expression: parseExpression(expression),
  forMs: forSeconds * 1_000,
  clear: clear === undefined ? undefined : parseExpression(clear),
});

/**
 * Checks the expressions of a rule before it is stored or tried. `place`: where the request has them.
 * @throws bad_request, naming the field
 */
export function checkRule(
  { expression, clear }: { expression: string; clear: string | undefined },
  place: 'body' | 'query' = 'body',
): void {
  const starts = checked(`${place}.expression`, expression);
  if (clear === undefined) return;
  const ends = checked('body.clear', clear);
  if (overlap(starts, ends))
    throw badRequest(
      `body.clear: "${clear}" and "${expression}" can be true at once, so the condition would end as it begins; leave a gap between them, or omit clear`,
    );
}

function checked(field: string, text: string): Expression {
  let parsed: Expression;
  try {
    parsed = parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) throw badRequest(`${field}: ${error.message}`);
    throw error;
  }
  const impossible = findImpossible(parsed);
  if (impossible !== undefined) throw badRequest(`${field}: "${impossible}" can never be true`);
  return parsed;
}

/** Seconds of `for`. @throws bad_request */
export function readFor(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds > maxForSeconds)
    throw badRequest(
      `body.for: takes a duration such as 90s, 10m or 2h, at most ${durationText(maxForSeconds)}, not "${text}"`,
    );
  return seconds;
}

function scopeTest(scope: Scope): (robot: RobotPlace) => boolean {
  switch (scope.kind) {
    case 'org':
      return () => true;
    case 'site':
      return ({ siteId }) => siteId === scope.id;
    case 'fleet':
      return ({ fleetId }) => fleetId === scope.id;
    case 'label': {
      const wanted = Object.entries(readLabels('selector', scope.selector));
      return ({ labels }) => wanted.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
    }
  }
}
