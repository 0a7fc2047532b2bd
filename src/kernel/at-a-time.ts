/** Runs up to `count` works at a time; the others wait, in their order. */
export function atATime(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
