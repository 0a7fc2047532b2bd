/** A typed value: JSON if it parses, else a text. */
type Value = { value: unknown; isText: boolean } | { fault: string };

const inTexts = /"(?:[^"\\]|\\.)*"/g;
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function configValue(text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    const lost = (text.replace(inTexts, '""').match(numbers) ?? []).find((number) => !isKept(number));
    return lost === undefined
      ? { value, isText: false }
      : { fault: `${lost} would change in this form. Use: cli configs set` };
  } catch (error) {
    // A text that begins with a bracket or a quote is meant as JSON.
    return /^\s*[[{"]/.test(text)
      ? { fault: error instanceof Error ? error.message : String(error) }
      : { value: text, isText: true };
  }
}

/** Whether a value from the service may be edited: a number with more digits has lost some when it was parsed. */
export function hasAllDigits(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (digitsOf(String(value))?.digits.length ?? 0) <= 15;
  return typeof value !== 'object' || value === null || Object.values(value).every(hasAllDigits);
}

/** Whether the number is the same after conversion to a JavaScript number and back to text. */
function isKept(text: string): boolean {
  const [typed, kept] = [digitsOf(text), digitsOf(String(Number(text)))];
  return typed?.digits === kept?.digits && typed?.exponent === kept?.exponent;
}

/** The significant digits, and the power of ten of the first; undefined if not finite. */
function digitsOf(text: string): { digits: string; exponent: number } | undefined {
  const [, whole, rest = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const significant = (whole + rest).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  return { digits, exponent: digits === '' ? 0 : Number(power) + significant.length - rest.length };
}
