/**
 * Creates several things with a common lifetime. Each is passed to `own` as soon as it exists. All are disposed of with
 * the result, the last one first; so are earlier ones if a later one fails.
 */
export async function together<T extends object>(
  make: (own: <Made extends Disposable | AsyncDisposable>(made: Made) => Made) => Promise<T>,
): Promise<T & AsyncDisposable> {
  const owned: (Disposable | AsyncDisposable)[] = [];
  const dispose = async () => {
    for (let last = owned.pop(); last; last = owned.pop())
      if (Symbol.asyncDispose in last) await last[Symbol.asyncDispose]();
      else last[Symbol.dispose]();
  };
  try {
    const made = await make((one) => {
      owned.push(one);
      return one;
    });
    return Object.assign(made, { [Symbol.asyncDispose]: dispose });
  } catch (error) {
    await dispose();
    throw error;
  }
}
