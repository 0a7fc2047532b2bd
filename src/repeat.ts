/**
 * Does `work` at once and then `everyMs` after each end of it, so that two runs never overlap, however long one takes. What fails is told to
 * `onFailure` and done again at its time. @returns what stops it: no further run begins, the one on its way goes on by itself
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
