/*
 * Arrays for UNNEST as the text of one parameter. pg would quote and join each element itself, which for thousands of
 * elements costs more than the statement.
 */

/** Numbers or ids, which need no quotes. */
export const plainArray = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

export const textArray = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

/** Texts; undefined becomes NULL. */
export const nullableArray = (values: readonly (string | number | undefined)[]): string =>
  `{${values.map((value) => (value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;

/** Where each part begins when they are joined, counted from 1 as in SQL. */
export function startsOf(lengths: readonly number[]): number[] {
  let start = 1;
  return lengths.map((length) => (start += length) - length);
}
