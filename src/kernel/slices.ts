import { setImmediate as turn } from 'node:timers/promises';

/** How long work may keep the event loop, in ms, of which some is kept for the piece that exceeds it. */
const sliceMs = 3;

/** Pieces of microseconds between two looks at the clock. */
const smallPieces = 32;

/**
 * For work in many small pieces: a function to call after each piece. It returns a promise, which lets others have their
 * turn, once the work has taken `sliceMs` since they last did. `await` it; where a piece takes microseconds, only if there
 * is one, as an `await` takes its time too. `isSmall`: pieces of microseconds.
 */
export function slices(isSmall = false): () => Promise<void> | undefined {
  let startedAt = performance.now();
  let pieces = 0;
  return () => {
    pieces += 1;
    if (isSmall && pieces % smallPieces !== 0) return undefined;
    if (performance.now() - startedAt < sliceMs) return undefined;
    return turn().then(() => {
      startedAt = performance.now();
    });
  };
}

/** Calls `work` for each item, and lets others have their turn meanwhile: for work of microseconds on thousands of items. */
export async function eachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item, index: number) => void,
): Promise<void> {
  const slice = slices(true);
  let index = 0;
  for (const item of items) {
    work(item, index);
    index += 1;
    const pause = slice();
    if (pause) await pause;
  }
}
