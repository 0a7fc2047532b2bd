import { membersOf, partsOf, whole, type Span } from '../configs/raw-json.ts';

const maxDepth = 64;

/**
 * The canonical form of a JSON text, for signing: no white space, object members sorted by name (UTF-16 code units).
 * Strings are as JSON.stringify writes them, numbers unchanged. For texts of the service, whose numbers are
 * JavaScript's, this is RFC 8785. Throws SyntaxError for invalid JSON. Throws RangeError for a text without a canonical
 * form: a duplicate name in one object, or more than 64 levels.
 *
 * Written by hand: libraries take parsed values, which silently lose digits beyond 2^53 and duplicate names.
 */
export function canonicalJson(text: string): string {
  JSON.parse(text);
  // From here on the text is valid JSON, and is only cut into its parts.

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
    if (twice) throw new RangeError(`a duplicate name: ${twice.name.slice(0, 100)}`);
    return `{${members.map((member) => `${JSON.stringify(member.name)}:${value(member.value, depth)}`).join(',')}}`;
  }

  return value(whole(text), 0);
}
