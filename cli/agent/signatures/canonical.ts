const maxDepth = 64;
const spaces = ' \t\r\n';
const endsOfLiterals = `${spaces},]}`;

/**
 * The one form of a JSON text that is signed: without white space, the members of objects in order of their names (UTF-16 code units), strings
 * as JSON.stringify writes them, numbers to the letter. That is RFC 8785 for what the service wrote, whose numbers are JavaScript's; were others
 * parsed and written again, digits beyond 2^53 could be changed unseen. Throws SyntaxError for what is no JSON, and RangeError for what has no such form: a name twice in one object, more than 64 levels.
 */
export function canonicalJson(text: string): string {
  JSON.parse(text);
  // From here on it is JSON, and only cut into its parts.
  let at = 0;

  function skip(characters: string): void {
    while (at < text.length && characters.includes(text.charAt(at))) at += 1;
  }

  function string(): string {
    const start = at;
    at += 1;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    at += 1;
    return JSON.stringify(JSON.parse(text.slice(start, at)));
  }

  /** What stands between the brackets, each part as `part` gives it. */
  function parts<T>(part: () => T): T[] {
    const found: T[] = [];
    at += 1;
    skip(spaces);
    while (text[at] !== ']' && text[at] !== '}') {
      found.push(part());
      skip(`${spaces},`);
    }
    at += 1;
    return found;
  }

  function value(depth: number): string {
    skip(spaces);
    const first = text[at];
    if (first === '"') return string();
    if (first === '{' || first === '[') {
      if (depth === maxDepth) throw new RangeError(`more than ${maxDepth} levels`);
      if (first === '[') return `[${parts(() => value(depth + 1)).join(',')}]`;
      return object(depth + 1);
    }
    const start = at;
    while (at < text.length && !endsOfLiterals.includes(text.charAt(at))) at += 1;
    return text.slice(start, at);
  }

  function object(depth: number): string {
    const members = parts(() => {
      const written = string();
      skip(`${spaces}:`);
      return { name: JSON.parse(written) as string, text: `${written}:${value(depth)}` };
    });
    members.sort((one, other) => (one.name < other.name ? -1 : 1));
    const twice = members.find(({ name }, index) => members[index + 1]?.name === name);
    if (twice) throw new RangeError(`a name comes twice: ${twice.name.slice(0, 100)}`);
    return `{${members.map((member) => member.text).join(',')}}`;
  }

  return value(0);
}
