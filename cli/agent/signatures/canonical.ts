import { membersOf, partsOf, whole, type Span } from '../configs/raw-json.ts';

const maxDepth = 64;

/**
 * The one form of a JSON text that is signed: without white space, the members of objects in order of their names (UTF-16 code units), strings
 * as JSON.stringify writes them, numbers to the letter. That is RFC 8785 for what the service wrote, whose numbers are JavaScript's. Throws
 * SyntaxError for what is no JSON, and RangeError for what has no such form: a name twice in one object, more than 64 levels.
 *
 * Written by hand: libraries take parsed values, in which digits beyond 2^53 and a name that comes twice are lost unseen.
 */
export function canonicalJson(text: string): string {
  JSON.parse(text);
  // From here on it is JSON, and only cut into its parts.

  function value(span: Span, depth: number): string {
    const [written, first] = [text.slice(span.start, span.end), text[span.start]];
    if (first === '"') return JSON.stringify(JSON.parse(written));
    if (first !== '{' && first !== '[') return written;
    if (depth === maxDepth) throw new RangeError(`more than ${maxDepth} levels`);
    return first === '{'
      ? object(span, depth + 1)
      : `[${[...partsOf(text, span)].map((part) => value(part, depth + 1)).join(',')}]`;
  }

  function object(span: Span, depth: number): string {
    const members = [...membersOf(text, span)].sort((one, other) => (one.name < other.name ? -1 : 1));
    const twice = members.find(({ name }, index) => members[index + 1]?.name === name);
    if (twice) throw new RangeError(`a name comes twice: ${twice.name.slice(0, 100)}`);
    return `{${members.map((member) => `${JSON.stringify(member.name)}:${value(member.value, depth)}`).join(',')}}`;
  }

  return value(whole(text), 0);
}
