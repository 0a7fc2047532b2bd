/** What was typed as a value: JSON where it is that, else a text. */
type Value = { value: unknown; isText: boolean } | { fault: string };

const inTexts = /"(?:[^"\\]|\\.)*"/g;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function configValue(text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    const lost = (text.replace(inTexts, '""').match(numbers) ?? []).find((number) => !isKept(number));
    return lost === undefined
      ? { value, isText: false }
      : { fault: `${lost} would not stay what it is in this form: cli configs set keeps it` };
  } catch (error) {
    // Who opens a bracket or a quote means JSON.
    return /^\s*[[{"]/.test(text)
      ? { fault: error instanceof Error ? error.message : String(error) }
      : { value: text, isText: true };
  }
}

/** Whether a value that the service gave may be shown to be changed: of more digits some were lost when it was read. */
export function hasAllDigits(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (digitsOf(String(value))?.digits.length ?? 0) <= 15;
  return typeof value !== 'object' || value === null || Object.values(value).every(hasAllDigits);
}

/** Whether a program that makes a number of it, and a text of that, still says the same number. */
function isKept(text: string): boolean {
  const [typed, kept] = [digitsOf(text), digitsOf(String(Number(text)))];
  return typed?.digits === kept?.digits && typed?.exponent === kept?.exponent;
}

/** The digits that count, and the power of ten of the first; undefined for what is not finite. */
function digitsOf(text: string): { digits: string; exponent: number } | undefined {
  const [, whole, rest = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const significant = (whole + rest).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  return { digits, exponent: digits === '' ? 0 : Number(power) + significant.length - rest.length };
}
