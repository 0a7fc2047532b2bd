/**
 * Makes several things that go together. Each is given to `own` as soon as it is there: all of them are disposed of with the result, the last one
 * first, and those that were made before one could not be made.
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
