import stringWidth from 'string-width';
import type { Look } from '../theme.ts';

/** Letters and signs of our own that all take one cell: measuring others takes its time. */
const plain = /^[\x20-\x7e\u2500-\u257f\u2581-\u2593\u25b2\u25b8\u25cb-\u25cf\u2026\u2713]*$/;
const graphemes = new Intl.Segmenter();

/** Cells that a text without control characters takes. */
export const widthOf = (text: string) => (plain.test(text) ? text.length : stringWidth(text));

/** The text where it fits, else its beginning and the sign for the rest. */
export function cutTo(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  const [kept = ''] = brokenAt(text, width - widthOf(ellipsis));
  return width < widthOf(ellipsis) ? '' : `${kept}${ellipsis}`;
}

/** Cut, or filled up with spaces. */
export function fitTo(text: string, width: number, ellipsis: string): string {
  const cut = cutTo(text, width, ellipsis);
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)));
}

/** The text in pieces of that width at most; at least one. */
export function brokenAt(text: string, width: number): string[] {
  if (width < 2) return [text.slice(0, Math.max(0, width))];
  if (plain.test(text)) {
    const pieces: string[] = [];
    for (let at = 0; at < text.length || at === 0; at += width) pieces.push(text.slice(at, at + width));
    return pieces;
  }
  const pieces = [''];
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const wide = stringWidth(segment);
    if (used + wide > width) {
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] = `${pieces.at(-1) ?? ''}${segment}`;
    used += wide;
  }
  return pieces;
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The text in a look, as Ink's Text paints it; for lines that are put together without one. */
export function painted(text: string, look: Look): string {
  if (text === '') return '';
  const { color, backgroundColor, bold, dimColor, inverse } = look;
  let whole = text;
  if (dimColor === true) whole = `\u001b[2m${whole}\u001b[22m`;
  if (color !== undefined) whole = `\u001b[${colourCode(color, 30)}m${whole}\u001b[39m`;
  if (backgroundColor !== undefined) whole = `\u001b[${colourCode(backgroundColor, 40)}m${whole}\u001b[49m`;
  if (bold === true) whole = `\u001b[1m${whole}\u001b[22m`;
  return inverse === true ? `\u001b[7m${whole}\u001b[27m` : whole;
}

/** `base`: 30 for letters, 40 for what is behind them. A word that is no colour is the terminal's own. */
function colourCode(word: string, base: number): string {
  const hex = /^#(..)(..)(..)$/.exec(word)?.slice(1);
  if (hex) return `${base + 8};2;${hex.map((part) => Number.parseInt(part, 16)).join(';')}`;
  const [, index] = /^ansi256\((\d{1,3})\)$/.exec(word) ?? [];
  if (index !== undefined) return `${base + 8};5;${index}`;
  if (word === 'gray' || word === 'grey') return String(base + 60);
  const isBright = word.endsWith('Bright');
  const at = colours.indexOf(isBright ? word.slice(0, -'Bright'.length) : word);
  return String(at === -1 ? base + 9 : base + at + (isBright ? 60 : 0));
}
