import { naturalKey } from './natural-order.ts';

/**
 * Puts things into the order of their names, as people count: `amr-9` before `amr-10`. Of ten thousand that are called as before nothing is compared
 * again but their names.
 */
export function byName<T extends object>(nameOf: (thing: T) => string): (things: readonly T[]) => readonly T[] {
  let [names, order]: [readonly string[], readonly number[]] = [[], []];
  return (things) => {
    const isSame = things.length === names.length && things.every((thing, index) => nameOf(thing) === names[index]);
    if (!isSame) {
      names = things.map(nameOf);
      const keys = names.map(naturalKey);
      order = [...keys.keys()].sort((one, other) => compared(keys[one] ?? '', keys[other] ?? '') || one - other);
    }
    const ordered: T[] = [];
    for (const index of order) {
      const thing = things[index];
      if (thing) ordered.push(thing);
    }
    return ordered;
  };
}

const compared = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
