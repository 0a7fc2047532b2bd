/*
 * Arrays for UNNEST as the text of one parameter: pg would quote and join each element by itself, which costs more than the statement where
 * there are thousands.
 */

/** Numbers or ids: what needs no quotes. */
export const plainArray = (values: readonly (number | string)[]): string => `{${values.join(',')}}`;

export const textArray = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

/** Texts of which some may be missing: NULL. */
export const nullableArray = (values: readonly (string | number | undefined)[]): string =>
  `{${values.map((value) => (value === undefined ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
