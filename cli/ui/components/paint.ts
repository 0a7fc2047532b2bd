import type { TextStyle } from '../theme.ts';

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The text in a look, with the control sequences that Ink's Text uses. */
export function painted(text: string, look: TextStyle): string {
  if (text === '') return '';
  const { color, backgroundColor, bold, dimColor, inverse } = look;
  let whole = text;
  if (dimColor === true) whole = `\u001b[2m${whole}\u001b[22m`;
  if (color !== undefined) whole = `\u001b[${colourCode(color, 30)}m${whole}\u001b[39m`;
  if (backgroundColor !== undefined) whole = `\u001b[${colourCode(backgroundColor, 40)}m${whole}\u001b[49m`;
  if (bold === true) whole = `\u001b[1m${whole}\u001b[22m`;
  return inverse === true ? `\u001b[7m${whole}\u001b[27m` : whole;
}

/** `base`: 30 for text, 40 for background. An unknown name gives the terminal's default colour. */
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
