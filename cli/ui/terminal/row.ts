import { graphemesOf, widthOf } from '../../output/text-width.ts';

/** Control sequences that set colours, and nothing else: Ink makes no others. */
export const styling = /(\u001b\[[0-9;]*m)/;
const allStyling = new RegExp(styling, 'g');
/**
 * Characters that take one cell on every terminal: Latin, control pictures, lines, blocks, shapes and braille. For all
 * others, terminals disagree with each other and with this code.
 */
const isSure =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2400-\u2426\u2500-\u25fc\u2800-\u28ff]*$/;
/** Replacements for terminals with ASCII only. */
const inAscii: Readonly<Record<string, string>> = {
  '\u00a0': ' ',
  '\u00b7': '.',
  '\u00d7': 'x',
  '\u2010': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2026': '~',
};

/** The text of a painted line. */
export const unpainted = (line: string) => line.replaceAll(allStyling, '');

/** Output that draws this line in that row, whatever was there before. */
export function drawnRow(line: string, row: number, columns: number, isAscii: boolean): string {
  const place = `\u001b[${row};1H`;
  const text = isAscii ? asciiOf(line) : line;
  const plain = unpainted(text);
  // Erasing after the last column may erase that column: a line that fills its row needs no erasing.
  if (isSure.test(plain)) return `${place}${text}\u001b[0m${plain.length < columns ? '\u001b[K' : ''}`;
  return `${place}\u001b[0m\u001b[K${placed(text)}\u001b[0m`;
}

/**
 * The same, with the column set again after each character of uncertain width, so that the text after it stays in
 * place.
 */
function placed(line: string): string {
  let column = 1;
  let text = '';
  for (const part of line.split(styling)) {
    if (part.startsWith('\u001b')) {
      text += part;
    } else if (isSure.test(part)) {
      text += part;
      column += part.length;
    } else {
      for (const segment of graphemesOf(part)) {
        column += widthOf(segment);
        text += isSure.test(segment) ? segment : `${segment}\u001b[${column}G`;
      }
    }
  }
  return text;
}

function asciiOf(line: string): string {
  const signOf = (segment: string) => inAscii[segment] ?? '?'.repeat(widthOf(segment));
  return line.replaceAll(/[^\u0000-\u007e]+/g, (others) => graphemesOf(others).map(signOf).join(''));
}
