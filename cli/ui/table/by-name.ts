import { naturalKey } from './natural-order.ts';

/**
 * Sorts by name in natural order: `amr-9` before `amr-10`. While names are unchanged, the order is reused: of 10,000
 * items only the names are compared.
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
