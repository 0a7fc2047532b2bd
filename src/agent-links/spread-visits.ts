const stepsOfRound = 40;

/**
 * Visits all items once after each `begin`, spread over `withinMs`. A `begin` during a round continues that round:
 * items not visited yet come first. So no item waits longer than `withinMs`, however often rounds begin.
 */
export function spreadVisits<Item>(all: () => Iterable<Item>, visit: (item: Item) => void, withinMs: number) {
  const left = new Set<Item>(); // in visiting order; an item that is added again keeps its place
  let timer: NodeJS.Timeout | undefined;
  let step = 0;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    left.clear();
  }

  function advance(): void {
    let visited = 0;
    for (const item of left) {
      if (visited === step) return;
      visited += 1;
      left.delete(item);
      visit(item);
    }
    if (left.size === 0) stop();
  }

  return {
    begin(): void {
      for (const item of all()) left.add(item);
      step = Math.ceil(left.size / stepsOfRound);
      if (left.size > 0) timer ??= setInterval(advance, withinMs / stepsOfRound).unref();
    },
    stop,
  };
}
