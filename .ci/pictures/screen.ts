import type { IBuffer, IBufferCell } from '@xterm/headless';
import { background, coloursOf, foreground, type CellColours } from './colours.ts';
import { isShape } from './shapes.ts';

/** Neighbours of one look. */
export interface Run extends CellColours {
  column: number;
  /** In cells. */
  width: number;
  /** Empty for a background alone. */
  text: string;
  isBold: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
}

/** The runs of each row. */
export type Screen = readonly (readonly Run[])[];

type Look = Omit<Run, 'column' | 'width' | 'text'>;

const lookOf = (cell: IBufferCell): Look => ({
  ...coloursOf(cell),
  isBold: cell.isBold() !== 0,
  isItalic: cell.isItalic() !== 0,
  isUnderlined: cell.isUnderline() !== 0,
});

/** A character that each monospaced font has, and in the width of a cell. */
const isPlain = (text: string) => /^[\x20-\x7e…·]*$/.test(text);

/** Whether the cell continues the run: its font places plain characters alone, and equal shapes are one shape. */
function continues(last: Run, text: string, look: Look): boolean {
  const isSameLook = (Object.keys(look) as (keyof Look)[]).every((key) => last[key] === look[key]);
  if (!isSameLook) return false;
  if (isShape(text)) return last.text.startsWith(text);
  return isPlain(text) && isPlain(last.text) && !last.text.endsWith('  ');
}

function rowOf(buffer: IBuffer, row: number, columns: number, cursorColumn: number | undefined): Run[] {
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < columns; column += 1) {
    const cell = line?.getCell(column);
    // The second half of a wide character.
    if (!cell || cell.getWidth() === 0) continue;
    const text = cell.isInvisible() ? ' ' : cell.getChars() || ' ';
    const look = lookOf(cell);
    if (column === cursorColumn) Object.assign(look, { front: background, back: foreground });
    const last = runs.at(-1);
    if (last && continues(last, text, look)) {
      last.text += text;
      last.width += cell.getWidth();
    } else runs.push({ column, width: cell.getWidth(), text, ...look });
  }
  return runs.flatMap((run) => {
    const text = run.text.trimEnd();
    if (text !== '' || run.isUnderlined) return [{ ...run, text: run.isUnderlined ? run.text : text }];
    return run.back === undefined ? [] : [{ ...run, text }];
  });
}

/** What is visible now. `cursor` says whether a block is drawn at the cursor. */
export function screenOf(buffer: IBuffer, columns: number, rows: number, cursor: boolean): Screen {
  const cursorAt = (row: number) => (cursor && row === buffer.cursorY ? buffer.cursorX : undefined);
  return Array.from({ length: rows }, (_, row) => rowOf(buffer, row, columns, cursorAt(row)));
}
