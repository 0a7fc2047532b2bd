import { badRequest } from '../../../kernel/errors.ts';

/** Limit for a number quoted in a message. */
const maxShownCharacters = 40;
/** Maximum digits of a double: 17 tell any two doubles apart. */
const maxDigits = 17;
/** A number without an exponent and up to this length is kept by a double, whatever its digits. */
const harmlessLength = 15;

const quote = 0x22;
const backslash = 0x5c;
const numberAt = /[-\d][\d.eE+-]*/y;
const colonAt = /\s*:/y;

/**
 * Refuses JSON that `JSON.parse` changes silently. An object with a repeated name would lose the first value. A number
 * with more digits than a double keeps would lose the last ones. `text` is valid JSON whose depth is already limited,
 * as the stack of names grows with it.
 * @throws bad_request
 */
export function checkJsonText(text: string): void {
  const open: Set<string>[] = []; // names of the enclosing objects, innermost last
  for (let at = 0; at < text.length;) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      colonAt.lastIndex = end;
      if (colonAt.test(text)) addName(open.at(-1), JSON.parse(text.slice(at, end)) as string);
      at = end;
    } else if (character === '-' || (character !== undefined && character >= '0' && character <= '9')) {
      numberAt.lastIndex = at;
      const [literal = character] = numberAt.exec(text) ?? [];
      checkNumber(literal);
      at += literal.length;
    } else {
      if (character === '{') open.push(new Set());
      else if (character === '}') open.pop();
      at += 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === backslash ? 2 : 1;
  return at + 1;
}

function addName(names: Set<string> | undefined, name: string): void {
  if (names?.has(name)) throw badRequest(`body: the name ${JSON.stringify(name)} occurs twice`);
  names?.add(name);
}

function checkNumber(literal: string): void {
  if (literal.length <= harmlessLength && !/e/i.test(literal)) return;
  const value = Number(literal);
  const shown = literal.length > maxShownCharacters ? `${literal.slice(0, maxShownCharacters)}…` : literal;
  // Every double beyond 2^53 is an integer. From there on, two different numbers in the body could silently become the
  // same number.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw badRequest(`body: the number ${shown} is beyond 2^53`);
  const digits = digitsOf(literal);
  if (digits === '') return;
  if (digits.length > maxDigits || digitsOf(value.toPrecision(digits.length)) !== digits)
    throw badRequest(`body: the number ${shown} has more digits than can be stored; send it as a string`);
}

/** The significant digits; empty for 0. */
const digitsOf = (literal: string): string =>
  literal
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
