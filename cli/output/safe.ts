/**
 * Names, labels and messages come from robots and from other people: a terminal would obey the control characters in them. Each is
 * shown as a visible sign instead: C0 as its picture, DEL, C1, bidirectional and zero-width ones as `\uXXXX`.
 */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** What JSON leaves as it is and a terminal would obey. */
const unsafeInJson = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
/** Longer text is cut before its width is measured: measuring a line of 90,000 characters takes seconds. */
const maxCellCharacters = 8192;

/** Text of several lines; tabs and line feeds stay. */
export const safeText = (text: string) => text.replace(unsafe, visible);

/** Text of one table cell: tabs and line feeds are shown too. */
export function safeCell(text: string): string {
  const cut = text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters)}…` : text;
  return safeText(cut).replaceAll('\t', '\u2409').replaceAll('\n', '\u240a');
}

/** The same JSON value, harmless on a terminal. */
export const safeJson = (json: string) => json.replace(unsafeInJson, escaped);

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : escaped(character);
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
