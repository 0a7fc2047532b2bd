/**
 * A sort key by which `amr-9` comes before `amr-10`: each number is preceded by its length. Comparing keys is many
 * times faster than a numeric collator.
 */
export function naturalKey(text: string): string {
  const lower = text.toLowerCase();
  let [made, from] = ['', 0];
  for (let at = 0; at < lower.length; at += 1) {
    if (!isDigit(lower, at)) continue;
    let begin = at;
    while (lower.charCodeAt(begin) === zero && isDigit(lower, begin + 1)) begin += 1;
    let end = begin;
    while (isDigit(lower, end)) end += 1;
    made += lower.slice(from, at) + String.fromCharCode(zero + Math.min(end - begin, longest));
    from = begin;
    at = end;
  }
  return made + lower.slice(from);
}

const zero = '0'.charCodeAt(0);
/** The character for this length still sorts before all letters. */
const longest = 9;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= zero && code <= zero + 9;
}
