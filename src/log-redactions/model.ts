/** A rule for what is removed from log records before they are stored. */
export interface LogRedaction extends RedactionSettings {
  id: string;
  builtin: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface RedactionSettings {
  name: string;
  /** RE2 syntax; of a built-in rule, what it finds, in words. */
  pattern: string;
  replacement: string | undefined; // undefined: see `replacementOf`
  enabled: boolean;
}

/** What the org's own rules need, to be applied: in the order in which they are applied. */
export interface PatternRule {
  pattern: string;
  replacement: string;
}

/** Rules of an org, besides the built-in ones: each is applied to each record. */
export const maxRules = 50;

export const replacementOf = ({ name, replacement }: Pick<RedactionSettings, 'name' | 'replacement'>): string =>
  replacement ?? `[redacted: ${name}]`;

/** What is wrong with a pattern that takes too long. */
export const slowFault =
  'is too slow on a line of 16 KiB; repeat less, and avoid two repetitions of the same characters side by side';

/** Messages of a test, together: as a frame of log records, for which the limits of time are meant. */
export const maxTestedBytes = 262_144;

/** What is wrong with a pattern that takes too long on the messages of a test. */
export const slowTestFault =
  'takes more than 2 s on these messages, together with the other rules of the org; records like them would be stored without message and fields';

/** Removes secrets from texts. It returns a text without secrets as it is. */
export interface Redactor {
  redact(text: string): string;
  /** False if `redact` changes no text in this JSON. Costs a fraction of it. */
  mayMatch(json: string): boolean;
}

/** What a record says, which is what rules are applied to. */
export interface Said {
  message: string;
  fields?: Record<string, unknown>;
}
