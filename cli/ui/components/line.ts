import { safeCell } from '../../output/safe.ts';
import type { Trouble } from '../data/freshness.ts';
import type { Tone } from '../theme.ts';
import { cutTo, widthOf } from './cells.ts';

export interface Segment {
  text: string;
  tone?: Tone | undefined;
}

/** One line of the screen as plain data, so that a screen that stays the same is not drawn again. */
export interface Line {
  segments: readonly Segment[];
  /** The row under the cursor. */
  isCursor?: boolean;
  /** Not live: dimmed as a whole. */
  isDim?: boolean;
}

/** A line of one text. */
export const lineOf = (text: string, tone?: Tone): Line => ({ segments: [{ text, tone }] });

/** So many lines with nothing in them. */
export const blankLines = (count: number): Line[] => Array.from({ length: Math.max(0, count) }, () => lineOf(' '));

/** As much of the line as there is room for, harmless to a terminal: notices and troubles say what others said. */
export function cutLine({ segments, ...line }: Line, width: number, ellipsis: string): Line {
  let left = width;
  const kept: Segment[] = [];
  for (const segment of segments) {
    const whole = safeCell(segment.text);
    const text = cutTo(whole, left, ellipsis);
    if (text !== '') kept.push({ ...segment, text });
    if (text !== whole) break;
    left -= widthOf(text);
  }
  return { ...line, segments: kept };
}

/** Why something could not be had, and what to do. */
export const troubleLines = ({ message, hint, requestId }: Trouble): Line[] => [
  lineOf(` ${message}`, 'bad'),
  ...(hint === undefined ? [] : [lineOf(` ${hint}`)]),
  ...(requestId === undefined ? [] : [lineOf(` request ${requestId}`, 'quiet')]),
];
