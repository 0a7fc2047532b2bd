import type { Found } from './reading.ts';

/** The list is sorted and cut when it has so many times the records that are kept. */
const sortAt = 2;

/**
 * The first of the records that are added, in an order: those of a page, and one more that tells whether there are more. What
 * comes after them need not be looked at.
 */
export function firstFound(limit: number, compare: (a: Found, b: Found) => number) {
  const most = limit + 1;
  let found: Found[] = [];
  let last: Found | undefined; // of those that are kept, once there are as many

  /** In order; until the next record is added. */
  function sorted(): readonly Found[] {
    found = found.sort(compare).slice(0, most);
    last = found[limit];
    return found;
  }

  return {
    sorted,

    /** The time of the last one that is kept, once there are as many. */
    get lastMs(): number | undefined {
      return last?.receivedAtMs;
    },

    add(each: Found): void {
      if (last && compare(each, last) > 0) return;
      found.push(each);
      if (found.length >= most * sortAt) sorted();
    },
  };
}
