/** A command line taken apart, values not checked yet. */
export interface SplitLine {
  /** What is no flag, in order. */
  input: readonly string[];
  /** By the names in camelCase. */
  flags: Readonly<Record<string, unknown>>;
}

export const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
