/*
 * Values of a health snapshot that are computed the same way wherever they are used. Robots send them: any can be
 * missing.
 */

/** The used part in percent; undefined if it is not known. */
export const usedPercent = (total: number | undefined, free: number | undefined): number | undefined =>
  total === undefined || free === undefined || total <= 0 ? undefined : ((total - free) / total) * 100;

/** The highest value that is known; undefined if none is. */
export function highest(values: readonly (number | undefined)[] = []): number | undefined {
  let found: number | undefined;
  for (const value of values) if (value !== undefined && !(value <= (found ?? -Infinity))) found = value;
  return found;
}
