/** How long tests wait for what comes in milliseconds on an idle machine; one where all tests run may be many times slower. */
export const patienceMs = 45_000;

/** Resolves when the condition holds. One that throws does not hold yet: a database that was killed meanwhile cannot tell. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await (async () => condition())().catch(() => false)))
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** @throws what `why` says, if the work is not done in that time */
export async function within<T>(work: Promise<T>, ms: number, why: () => string | Promise<string>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => void Promise.resolve(why()).then((text) => reject(new Error(text)), reject), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
