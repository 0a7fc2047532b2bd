/** Signs of rising height, for terminals with Unicode. */
export const sparkBars = '▁▂▃▄▅▆▇█';

/**
 * The last values, one sign each, from the lowest of `bars` to the highest; blank where missing. Equal values have one
 * height.
 */
export function sparkline(
  values: readonly (number | undefined)[],
  width: number,
  bars: string,
  scale?: readonly [number, number],
): string {
  const shown = values.slice(-width);
  const known = shown.filter((value) => value !== undefined);
  const [low, high] = scale ?? [Math.min(...known), Math.max(...known)];
  const signs = Array.from(bars);
  const signOf = (value: number) => {
    const share = high > low ? (value - low) / (high - low) : 0;
    return signs[Math.max(0, Math.min(signs.length - 1, Math.floor(share * signs.length)))] ?? ' ';
  };
  return shown
    .map((value) => (value === undefined || !Number.isFinite(value) ? ' ' : signOf(value)))
    .join('')
    .padStart(width);
}
