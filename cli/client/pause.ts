/** Of a timer; a longer one would go off at once. */
export const longestMs = 2 ** 31 - 1;

/** Resolves after that time; rejects with the reason of the signal as soon as it comes. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
      Math.min(ms, longestMs),
    );
    if (signal?.aborted) leave();
    else signal?.addEventListener('abort', leave, { once: true });
  });
}

/** Why it was given up, as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('given up', { cause: reason });
}
