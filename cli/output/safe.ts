/**
 * Names, labels and messages come from robots and other people, and may contain control characters. Each is replaced by
 * a visible sign: C0 and DEL by their pictures, C1, bidirectional and zero-width characters by `\uXXXX`.
 */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Characters that JSON does not escape and a terminal would interpret. */
const unsafeInJson = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Longer text is cut before it is measured: measuring a line of 90,000 characters takes seconds. */
const maxCellCharacters = 8192;

/** Makes text of several lines safe; tabs and line feeds stay. */
export const safeText = (text: string) => text.replace(unsafe, visible);

/** Makes one value of a line safe, whole: tabs and line feeds become visible too. */
export const safeField = (text: string) => safeText(text).replaceAll('\t', '\u2409').replaceAll('\n', '\u240a');

/** The same for a table cell, which is cut. */
export const safeCell = (text: string) =>
  safeField(text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters)}…` : text);

/** The same JSON value, safe on a terminal. */
export const safeJson = (json: string) => json.replace(unsafeInJson, escaped);

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : escaped(character);
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
