/**
 * How long tests wait for events that take milliseconds on an idle machine; one that runs all tests may be many times
 * slower.
 */
export const patienceMs = 45_000;

/**
 * A bound, in ms, for what takes at most 2 s where nothing else needs the machine. What happens without the hint that a
 * test is about happens after 30 s or more.
 */
export const promptMs = 10_000;

/**
 * Resolves when the condition holds. If it throws, it does not hold yet: a database that was just killed cannot
 * respond.
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await (async () => condition())().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** @throws the text of `why`, if the work takes longer */
export async function within<T>(work: Promise<T>, ms: number, why: () => string | Promise<string>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => void Promise.resolve(why()).then((text) => reject(new Error(text)), reject), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
