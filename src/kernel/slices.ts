import { setImmediate as turn } from 'node:timers/promises';

/** How long work may keep the event loop, in ms, of which some is kept for the piece that exceeds it. */
const sliceMs = 3;

/**
 * For work in many small pieces: a function to await after each piece. It lets others have their turn once the work has
 * taken `sliceMs` since they last did.
 */
export function slices(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < sliceMs) return undefined;
    return turn().then(() => {
      startedAt = performance.now();
    });
  };
}
