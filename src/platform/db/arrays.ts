/*
 * Arrays for UNNEST as the text of one parameter. pg would quote and join each element itself, which for thousands of
 * elements costs more than the statement.
 */

/** Numbers, booleans or ids, which need no quotes. */
export const plainArray = (values: readonly (number | boolean | string)[]): string => `{${values.join(',')}}`;

export const textArray = (values: readonly string[]): string => `{${values.map(quoted).join(',')}}`;

/** Texts and numbers; undefined becomes NULL. */
export const nullableArray = (values: readonly (string | number | undefined)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quoted(value) : (value ?? 'NULL'))).join(',')}}`;

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * JSON texts, of which most characters would need an escape in an array. For `fromJoinedSql`; undefined becomes NULL. No
 * text may be empty or have control characters: `JSON.stringify` writes none.
 */
export const joinedTexts = (texts: readonly (string | undefined)[]): string =>
  texts.map((text) => text ?? '').join('\u0001');
/** The array of what `joinedTexts` joined. */
export const fromJoinedSql = (binding: string): string => `string_to_array(${binding}, chr(1), '')`;

/** Where each part begins when they are joined, counted from 1 as in SQL. */
export function startsOf(lengths: readonly number[]): number[] {
  let start = 1;
  return lengths.map((length) => (start += length) - length);
}
