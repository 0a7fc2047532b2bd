/** What was typed as a value: JSON where it is that, else a text. */
type Value = { value: unknown; isText: boolean } | { fault: string };

/** More digits than that are not those of the number that a program makes of them. */
const longNumber = /(?<![\w."])-?\d[\d.]{15,}(?!["\w])/;

export function configValue(text: string): Value {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'string' && longNumber.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
      ? { fault: 'a number in it has too many digits for this form: cli configs set keeps them' }
      : { value, isText: false };
  } catch (error) {
    // Who opens a bracket or a quote means JSON.
    return /^\s*[[{"]/.test(text)
      ? { fault: error instanceof Error ? error.message : String(error) }
      : { value: text, isText: true };
  }
}
