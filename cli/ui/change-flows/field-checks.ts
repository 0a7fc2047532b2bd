/** Field checks: each returns why a value is invalid. The service decides; these save a round trip. */

const maxName = 128;
const forbidden = /[\u0000-\u001f\u007f-\u009f]/;

/** For a required name. */
export function nameFault(value: string): string | undefined {
  if (value.trim() === '') return 'a name is required';
  if (value !== value.trim()) return 'it begins or ends with a space';
  return labelFault(value);
}

/** For an optional text. */
export function labelFault(value: string): string | undefined {
  if (forbidden.test(value)) return 'it contains invisible characters';
  return value.length > maxName ? `at most ${maxName} characters` : undefined;
}

/** For an optional whole number. */
export const numberFault =
  (least: number, most: number) =>
  (value: string): string | undefined => {
    if (value.trim() === '') return undefined;
    const number = Number(value);
    return /^\d{1,9}$/.test(value.trim()) && number >= least && number <= most
      ? undefined
      : `a whole number from ${least} to ${most}`;
  };

/** The number in a field; undefined: empty. */
export const numberIn = (value: string | undefined): number | undefined =>
  value === undefined || value.trim() === '' ? undefined : Number(value);

/** The text in a field; undefined: empty. */
export const textIn = (value: string | undefined): string | undefined => {
  const text = value?.trim();
  return text === '' ? undefined : text;
};

/** Longest lifetime of a key or token, from the contract. */
export const maxHours = 87_600;

/** A lifetime in hours, in days if it is whole days. */
export function lifetimeText(hours: number | undefined): string {
  if (!hours) return 'never';
  return hours > 24 && hours % 24 === 0 ? `in ${hours / 24} days` : `in ${hours} h`;
}
