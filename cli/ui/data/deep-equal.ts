/** Whether two JSON values are equal; the order of fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [before, now] = [one as Record<string, unknown>, other as Record<string, unknown>];
  let count = 0;
  for (const name in now) {
    if (!(name in before) || !isSame(before[name], now[name])) return false;
    count += 1;
  }
  return count === Object.keys(before).length;
}

/** `before` itself if `now` is equal, so that callers can compare by identity. */
export const keepIfEqual = <T>(before: T | undefined, now: T): T => (isSame(before, now) ? (before as T) : now);
