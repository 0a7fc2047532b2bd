/**
 * Runs `work` at once, and again `everyMs` after each end, so that runs never overlap. A failure is passed to
 * `onFailure`; the next run follows as usual.
 * @returns the function to stop: aborts the signal of the current run, and waits for its end. That run may fail unnoticed.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const ends = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void>;
  const run = () => {
    running = work(ends.signal)
      .catch((error: unknown) => {
        if (!ends.signal.aborted) onFailure(error);
      })
      .finally(() => {
        if (!ends.signal.aborted) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return () => {
    ends.abort();
    clearTimeout(timer);
    return running;
  };
}
