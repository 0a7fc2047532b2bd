interface StepListener {
  failed(error: unknown): void;
  /** A step has not ended after 5 s; it keeps running. */
  slow(): void;
}

const slowAfterMs = 5_000;

/** Runs one step after the other, the first when `after` resolves. A failed step does not affect the others. */
export function serialQueue(after: Promise<void>, on: StepListener): (step: () => Promise<void>) => Promise<void> {
  let turn = after;
  return (step) => {
    turn = turn.then(async () => {
      const timer = setTimeout(on.slow, slowAfterMs);
      await step().catch(on.failed);
      clearTimeout(timer);
    });
    return turn;
  };
}
