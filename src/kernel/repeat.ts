/**
 * Runs `work` at once, and again `everyMs` after each end, so that runs never overlap. A failure is passed to
 * `onFailure`; the next run follows as usual.
 * @returns the function to stop: no further run begins, the current one completes
 */
export function repeat(work: () => Promise<void>, everyMs: number, onFailure: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const run = () =>
    void work()
      .catch(onFailure)
      .finally(() => {
        if (!stopped) timer = setTimeout(run, everyMs);
      });
  run();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
