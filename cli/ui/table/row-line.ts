import { safeCell } from '../../output/safe.ts';
import { cutTo, fitTo, widthOf } from '../../output/text-width.ts';
import { cutLine, type Line, type Segment } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import type { AnyTable, TableColumn } from './definition.ts';
import { gap, type Placed } from './layout.ts';

/** Cells of the cursor, the mark and a blank. */
export const prefixWidth = 3;

interface Row {
  ui: Ui;
  table: AnyTable;
  columns: readonly Placed<TableColumn<unknown>>[];
  item: unknown;
}

export function rowLine({ ui, table, columns, item }: Row, isCursor: boolean, isMarked: boolean): Line {
  const { signs } = ui.theme;
  const segments: Segment[] = [
    { text: fitTo(isCursor ? signs.cursor : '', 1, '') },
    { text: fitTo(isMarked ? signs.mark : '', 1, ''), tone: isMarked ? 'accent' : undefined },
    { text: ' ' },
  ];
  columns.forEach(({ column, width }, index) => {
    const indent = index === 0 ? '  '.repeat(table.depth?.(item) ?? 0) : '';
    if (index > 0) segments.push({ text: ' '.repeat(gap) });
    if (column.pieces) {
      const { segments: pieces } = cutLine({ segments: column.pieces(item, width) }, width, signs.ellipsis);
      const used = pieces.reduce((sum, piece) => sum + widthOf(piece.text), 0);
      segments.push(...pieces, { text: ' '.repeat(width - used) });
      return;
    }
    const text = cutTo(indent + safeCell(column.text(item, width)), width, signs.ellipsis);
    const blank = ' '.repeat(Math.max(0, width - widthOf(text)));
    const tone = isMarked && index === 0 ? 'accent' : column.tone?.(item);
    segments.push({ text: column.align === 'right' ? blank + text : text + blank, tone });
  });
  return { segments: merged(segments), isCursor };
}

/** Merges neighbours of the same tone. */
function merged(segments: readonly Segment[]): Segment[] {
  const made: Segment[] = [];
  for (const { text, tone } of segments) {
    const last = made.at(-1);
    if (last && (last.tone === tone || text.trim() === '')) last.text += text;
    else made.push({ text, tone });
  }
  return made;
}
