import type { IBufferCell, IBufferLine } from '@xterm/headless';
import { background, foreground, paletteColour, trueColour } from './palette.ts';

/** Neighbouring cells of a row that look alike. */
export interface Run {
  column: number;
  columns: number;
  text: string;
  colour: string;
  /** Undefined: that of the terminal. */
  fill: string | undefined;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

/** The runs of a line; `cursor` is the column of a visible cursor in it. */
export function runsOf(line: IBufferLine, columns: number, cursor?: number): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const next = {
      ...styleOf(cell, column === cursor),
      column,
      columns: cell.getWidth(),
      text: cell.getChars() || ' ',
    };
    const last = runs.at(-1);
    if (last && looksOf(last) === looksOf(next)) {
      last.text += next.text;
      last.columns += next.columns;
    } else runs.push(next);
  }
  return runs.filter(isSeen);
}

type Style = Omit<Run, 'column' | 'columns' | 'text'>;

function styleOf(cell: IBufferCell, isCursor: boolean): Style {
  const colour = colourOf(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette());
  const fill = colourOf(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette());
  const isInverse = (cell.isInverse() !== 0) !== isCursor;
  return {
    colour: isInverse ? (fill ?? background) : (colour ?? foreground),
    fill: isInverse ? (colour ?? foreground) : fill,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
  };
}

function colourOf(number: number, isRgb: boolean, isPalette: boolean): string | undefined {
  if (isRgb) return trueColour(number);
  return isPalette ? paletteColour(number) : undefined;
}

const looksOf = ({ colour, fill, bold, dim, italic, underline }: Style) =>
  JSON.stringify([colour, fill, bold, dim, italic, underline]);

const isSeen = ({ text, fill, underline }: Run) => text.trim() !== '' || fill !== undefined || underline;
