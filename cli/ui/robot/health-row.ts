/** One measure of a robot: its value now, and its history. */
export interface HealthRow {
  label: string;
  /** Not sanitized yet. */
  text: string;
  /** Undefined: no problem. */
  warning: string | undefined;
  /** True: an error, not a warning. Default: false. */
  isBad?: boolean;
  /** Values of the points, oldest first; undefined: not measured. Empty: nothing to draw. */
  trail: readonly (number | undefined)[];
  /** Lowest and highest value drawn; undefined: those of the trail. */
  scale: readonly [number, number] | undefined;
}

/** A row without a warning and without a history. */
export const quiet = { warning: undefined, trail: [], scale: undefined };

export const joined = (...words: (string | number | undefined | false)[]) =>
  words.filter((word) => word !== undefined && word !== false && word !== '').join('  ');
