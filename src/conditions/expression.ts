import { findMeasure, isOrdered, measures, readValue, type Measure, type Value } from './measures.ts';

type Operator = '<' | '<=' | '>' | '>=' | '=' | '!=';

/** One comparison. `text`: as its author wrote it. */
export interface Term {
  text: string;
  name: string;
  measure: Measure;
  operator: Operator;
  value: Value;
}

/** True if all terms of one of its parts are true. */
export type Expression = readonly (readonly Term[])[];

/** Why a text is not an expression: a sentence for its author. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

const maxTerms = 16;
export const maxLength = 500;

const token = /\s*(?:("(?:[^"\\]|\\["\\])*")|(<=|>=|!=|==|[<>=])|([^\s<>=!"]+))/y;
const operators: Readonly<Record<string, Operator>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=': '=',
  '==': '=',
  '!=': '!=',
};

interface Token {
  kind: 'quoted' | 'operator' | 'word';
  text: string;
}

/**
 * Parses `battery < 15 and not charging or estop`: comparisons and flags, joined by `and`, and these by `or`. Without
 * parentheses: `and` binds first.
 * @throws ExpressionError
 */
export function parseExpression(text: string): Expression {
  if (text.length > maxLength) throw new ExpressionError(`has more than ${maxLength} characters`);
  const tokens = tokensOf(text);
  let next = 0;
  const peek = () => tokens[next];
  const isWord = (word: string) => peek()?.kind === 'word' && peek()?.text === word;

  function term(): Term {
    const isNegated = isWord('not');
    if (isNegated) next += 1;
    const name = tokens[next++];
    if (name?.kind !== 'word') throw new ExpressionError(`needs a measure ${placeOf(name)}; ${known}`);
    const measure = findMeasure(name.text);
    if (!measure) throw new ExpressionError(`unknown measure "${name.text}"; ${known}`);
    if (peek()?.kind !== 'operator') return flag(name.text, measure, !isNegated);
    const operator = operators[tokens[next++]?.text ?? ''] as Operator; // the token is one of them
    if (isNegated)
      throw new ExpressionError(`"not" takes a yes-or-no measure; write ${name.text} with another operator`);
    const { value, text: given } = valueOf(name.text, measure, operator);
    return { text: `${name.text} ${operator} ${given}`, name: name.text, measure, operator, value };
  }

  function valueOf(name: string, measure: Measure, operator: Operator): { value: Value; text: string } {
    const given = tokens[next++];
    if (given === undefined || given.kind === 'operator')
      throw new ExpressionError(`${name} needs a value ${placeOf(given)}`);
    const read =
      given.kind === 'quoted' && measure.kind === 'any' ? { value: given.text } : readValue(measure, given.text);
    if (typeof read === 'string') throw new ExpressionError(`${name} ${read}`);
    if (operator !== '=' && operator !== '!=' && !isOrdered(measure, read.value))
      throw new ExpressionError(`${name} can only be compared with = and !=, not ${operator}`);
    return { ...read, text: given.text };
  }

  const parts: Term[][] = [[]];
  let terms = 0;
  for (;;) {
    parts.at(-1)?.push(term());
    if ((terms += 1) > maxTerms) throw new ExpressionError(`has more than ${maxTerms} comparisons`);
    const join = peek();
    if (join === undefined) return parts;
    if (!isWord('and') && !isWord('or')) throw new ExpressionError(`needs "and" or "or" ${placeOf(join)}`);
    if (isWord('or')) parts.push([]);
    next += 1;
  }
}

const known = `known: ${Object.keys(measures).join(', ')}, extra.<name>`;

/** A measure without an operator. */
function flag(name: string, measure: Measure, value: boolean): Term {
  if (measure.kind !== 'flag' && measure.kind !== 'any')
    throw new ExpressionError(`${name} needs a comparison, for example ${name} ${example(measure)}`);
  return { text: value ? name : `not ${name}`, name, measure, operator: '=', value };
}

const examples = {
  number: '> 90',
  duration: '> 10m',
  level: '>= error',
  text: '= failed',
  version: '< 1.4.0',
} as const;
const example = ({ kind }: Measure) => (kind === 'flag' || kind === 'any' ? '' : examples[kind]);

const placeOf = (found: Token | undefined): string => (found === undefined ? 'at its end' : `before "${found.text}"`);

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const from = token.lastIndex;
    const [, quoted, operator, word] = token.exec(text) ?? [];
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.slice(1, -1).replace(/\\(.)/g, '$1') });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else throw new ExpressionError(`cannot be read from "${text.slice(from, from + 20).trim()}"`);
  }
  return tokens;
}
