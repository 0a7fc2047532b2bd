/** Calls `late` if the work takes longer than `withinMs`; the work continues. Settles as the work does. */
export async function callWhenLate<T>(work: Promise<T>, withinMs: number, late: () => void): Promise<T> {
  const timer = setTimeout(late, withinMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
