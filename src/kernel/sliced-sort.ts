import { slices } from './slices.ts';

type Compare<Item> = (a: Item, b: Item) => number;

/** Items that are sorted at once. */
const runLength = 256;

/** Sorts like `toSorted`, and lets others have their turn meanwhile: for more than some thousand items. */
export async function sortInSlices<Item>(items: readonly Item[], compare: Compare<Item>): Promise<Item[]> {
  const slice = slices();
  let runs: Item[][] = [];
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare));
    await slice();
  }
  const sliceOfMerge = slices(true);
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeRuns([runs[index] ?? [], runs[index + 1] ?? []], compare, sliceOfMerge));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Of items that compare as equal, those of the first run come first. */
async function mergeRuns<Item>(
  [first, second]: readonly [readonly Item[], readonly Item[]],
  compare: Compare<Item>,
  slice: () => Promise<void> | undefined,
): Promise<Item[]> {
  const merged: Item[] = [];
  let place = 0;
  for (const item of first) {
    for (let next = second[place]; next !== undefined && compare(next, item) < 0; next = second[place]) {
      merged.push(next);
      place += 1;
    }
    merged.push(item);
    const pause = slice();
    if (pause) await pause;
  }
  return merged.concat(second.slice(place));
}
