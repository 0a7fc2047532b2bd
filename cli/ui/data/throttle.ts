/** Runs `act` soon, at most `perSecond` times a second: faster calls are combined. */
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
