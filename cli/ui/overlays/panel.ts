import stringWidth from 'string-width';
import { safeCell } from '../../output/safe.ts';
import { fitted, wrapped } from '../graphemes.ts';
import type { Tone } from '../theme.ts';

/** A piece of a line. */
export interface Part {
  text: string;
  tone?: Tone | undefined;
  /** Default: false. */
  isInverse?: boolean;
}

export type Line = readonly Part[];

/** What a dialog shows: the same for every kind of it. Texts are harmless to a terminal. */
export interface Panel {
  title: string;
  tone?: Tone;
  lines: readonly Line[];
  /** The line that has to be in sight where there is no room for all. Default: the first. */
  focus?: number;
  /** What its keys do, below it. */
  footer: string;
  /** In the middle, or a single line at the foot without a frame. Default: in the middle. */
  place?: 'middle' | 'foot';
}

/** A line of one piece, harmless to a terminal. */
export const line = (text: string, tone?: Tone): Line => [{ text: safeCell(text), tone }];
export const blank: Line = [{ text: '' }];

/** A text in as many lines as it takes. */
export const paragraph = (text: string, width: number, tone?: Tone): Line[] =>
  text.split('\n').flatMap((each) => wrapped(safeCell(each), width).map((piece): Line => [{ text: piece, tone }]));

/** `label  text`, the text in as many lines as it takes, each under the first. */
export function labelled(
  label: string,
  text: string,
  { labelWidth, width }: { labelWidth: number; width: number },
): Line[] {
  const room = Math.max(8, width - labelWidth - 2);
  return wrapped(safeCell(text), room).map((piece, index): Line => [
    { text: `${fitted(index === 0 ? label : '', labelWidth)}  `, tone: 'quiet' },
    { text: piece },
  ]);
}

/** The line in exactly so many cells, filled up with `filler`. */
export function fittedLine(parts: Line, width: number, ellipsis: string, filler = ' '): Line {
  const fit: Part[] = [];
  let left = width;
  for (const part of parts) {
    const natural = stringWidth(part.text);
    const text = natural <= left ? part.text : fitted(part.text, left, ellipsis);
    if (text !== '') fit.push({ ...part, text });
    left -= Math.min(natural, left);
    if (left === 0) break;
  }
  return left === 0 ? fit : [...fit, { text: filler.repeat(left) }];
}

/** Those of the lines that are drawn where there is room for `rows`. */
export function window<T>(lines: readonly T[], focus: number, rows: number): readonly T[] {
  const begin = Math.max(0, Math.min(focus - Math.floor(rows / 2), lines.length - rows));
  return lines.slice(begin, begin + rows);
}
