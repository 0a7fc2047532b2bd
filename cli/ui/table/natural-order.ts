/**
 * The text so that `amr-9` comes before `amr-10`: each number is told by its length first. Comparing these is many times faster than a collator of
 * numbers.
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
/** The sign for it comes before all letters still. */
const longest = 9;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= zero && code <= zero + 9;
}
