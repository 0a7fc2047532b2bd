/**
 * The candidate nearest to the typed word, or undefined if none is near: at most two edits, and fewer than half of its
 * letters.
 */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const distance =
      candidate.startsWith(typed) && typed.length > 1 ? 1 : edits(typed.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best !== undefined && bestDistance <= 2 && bestDistance < Math.max(2, best.length / 2) ? best : undefined;
}

const maxNearby = 3;

/**
 * The candidates near the typed name, the nearest first: misspellings, and those with the same word before the number,
 * such as `amr-007` for `amr-9`. Of equally near ones the last first, which is the newest of a list.
 */
export function nearby(typed: string, candidates: readonly string[]): string[] {
  const stem = stemOf(typed);
  return [...new Set(candidates)]
    .reverse()
    .filter((each) => nearest(typed, [each]) !== undefined || (stem.length > 1 && stemOf(each) === stem))
    .map((each) => ({ each, distance: edits(typed.toLowerCase(), each.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maxNearby)
    .map(({ each }) => each);
}

/** `nav` of `nav-1.8.2` and of `Nav_v2`. */
const stemOf = (name: string) => /^(.*?)[-_.v]*(?:\d.*)?$/.exec(name.toLowerCase())?.[1] ?? '';

/** Number of insertions, deletions, replacements and swaps of neighbours between two words. */
function edits(from: string, to: string): number {
  // Misspelt names are short; a long text is not one.
  if (from.length > 64) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, to.length);
}

const at = (row: readonly number[], index: number) => row[index] ?? Infinity;
