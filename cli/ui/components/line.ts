import { safeCell } from '../../output/safe.ts';
import { cutTo, fitTo, widthOf, wrap } from '../../output/text-width.ts';
import type { Failure } from '../data/freshness.ts';
import type { Tone } from '../theme.ts';

/** A piece of a line. */
export interface Segment {
  text: string;
  tone?: Tone | undefined;
  /** Default: false. */
  isInverse?: boolean;
}

/** One line of a screen or dialog as plain data, so that unchanged lines are not drawn again. */
export interface Line {
  segments: readonly Segment[];
  /** The row under the cursor. */
  isCursor?: boolean;
  /** Stale: dimmed as a whole. */
  isDim?: boolean;
}

/** A line with one text. */
export const lineOf = (text: string, tone?: Tone): Line => ({ segments: [{ text, tone }] });

export const blankLines = (count: number): Line[] => Array.from({ length: Math.max(0, count) }, () => lineOf(' '));

/** The text wrapped into lines, safe for a terminal. */
export const paragraph = (text: string, width: number, tone?: Tone): Line[] =>
  text.split('\n').flatMap((each) => wrap(safeCell(each), width).map((piece) => lineOf(piece, tone)));

/** The line cut to the width, safe for a terminal: notices and errors may quote untrusted text. */
export const cutLine = (line: Line, width: number, ellipsis: string): Line =>
  placed(line, width, (text, room) => cutTo(text, room, ellipsis)).line;

/** The line in exactly `width` cells, padded with `filler`; safe for a terminal. */
export function fitLine(line: Line, width: number, ellipsis: string, filler = ' '): Line {
  const { line: cut, left } = placed(line, width, (text, room) => fitTo(text, room, ellipsis));
  return { ...cut, segments: [...cut.segments, { text: filler.repeat(left) }] };
}

/** The segments up to the first that does not fit, which `fit` shortens. `left`: the cells behind them. */
function placed({ segments, ...line }: Line, width: number, fit: (text: string, room: number) => string) {
  let left = width;
  const kept: Segment[] = [];
  for (const segment of segments) {
    const whole = safeCell(segment.text);
    const isCut = widthOf(whole) > left;
    const text = isCut ? fit(whole, left) : whole;
    if (text !== '') kept.push({ ...segment, text });
    left -= widthOf(text);
    if (isCut) break;
  }
  return { line: { ...line, segments: kept }, left };
}

/** Why something failed, and what to do: one line each on a screen, wrapped in a dialog of `dialogWidth` cells. */
export function failureLines({ message, hint, requestId }: Failure, dialogWidth?: number): Line[] {
  const linesOf = (text: string, tone?: Tone) =>
    dialogWidth === undefined ? [lineOf(` ${text}`, tone)] : paragraph(text, dialogWidth, tone);
  return [
    ...linesOf(message, 'bad'),
    ...(hint === undefined ? [] : linesOf(hint)),
    ...(requestId === undefined ? [] : linesOf(`request ${requestId}`, 'quiet')),
  ];
}
