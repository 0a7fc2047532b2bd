/** Does it soon, and at most so often: what comes faster than anybody can see is put together. */
export function throttle(perSecond: number, act: () => void) {
  const gapMs = 1_000 / perSecond;
  let timer: NodeJS.Timeout | undefined;
  return {
    ask: () =>
      (timer ??= setTimeout(() => {
        timer = undefined;
        act();
      }, gapMs)),
    stop: () => clearTimeout(timer),
  };
}
