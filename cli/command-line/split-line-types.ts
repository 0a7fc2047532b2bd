/** A split command line with unchecked values. */
export interface SplitLine {
  /** Words that are not flags, in order. */
  input: readonly string[];
  /** Keyed by names in camelCase. */
  flags: Readonly<Record<string, unknown>>;
}

export const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
