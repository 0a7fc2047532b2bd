import { isStale } from '../components/age.ts';
import { cutTo, fitTo } from '../../output/text-width.ts';
import { blankLines, cutLine, lineOf, failureLines, paragraph, type Line } from '../components/line.ts';
import type { Ui } from '../ui.ts';
import type { View } from '../views.ts';
import type { AnyTable, TableColumn } from './definition.ts';
import { filterFields } from './filter-fields.ts';
import { filterFault } from './filter-words.ts';
import { footerOf, sortSign } from './footer.ts';
import { gap, layoutColumns, windowTop, type Placed } from './layout.ts';
import { columnsToShow, isTitled } from './shown-columns.ts';
import { tableModel, type TableModel } from './model.ts';
import { prefixWidth, rowLine } from './row-line.ts';

/** Where a list is drawn. */
export interface Frame {
  ui: Ui;
  view: View;
  table: AnyTable;
  columns: number;
  rows: number;
  /** Whether list keys apply to it: it then has a cursor and a footer. Default: true. */
  hasKeys?: boolean;
  /** Its first cell, from the one below the tabs of the screens. Default: that one. */
  at?: { top: number; left: number };
  /** The tab that gives it the keys, if it has none. */
  tab?: string;
}

/** How a list was last drawn: its first row, and how many rows fit. */
const drawn = new WeakMap<AnyTable, { viewKey: number; top: number; shown: number }>();

/** Header and footer are drawn if there is room. */
const hasHeader = (lines: number) => lines > 2;
const hasFooter = ({ rows, hasKeys = true }: Pick<Frame, 'rows' | 'hasKeys'>) => hasKeys && rows > 5;
/** Rows of a list in that many lines. */
const rowsIn = (frame: Pick<Frame, 'rows' | 'hasKeys'>) =>
  Math.max(1, frame.rows - Number(hasHeader(frame.rows)) - Number(hasFooter(frame)));

/** Rows of a list that are visible at once. */
export const rowsSeen = (table: AnyTable): number => drawn.get(table)?.shown ?? 1;

/** The items whose rows are on the screen. */
export function itemsOnScreen(frame: Frame): readonly unknown[] {
  const { ui, view, table } = frame;
  const model = tableModel(ui, view, table);
  const top = topOf(table, view, model, rowsIn(frame));
  return model.items.slice(top, top + rowsIn(frame));
}

const columnsOf = ({ view, table, columns }: Frame) =>
  layoutColumns(columnsToShow(table, view.list), columns - prefixWidth, view.list.isWide);

/** What is on that line of a list: the titles, or the row of that index; undefined: its footer. */
export function rowAt(frame: Frame, line: number): number | 'titles' | undefined {
  const header = Number(hasHeader(frame.rows));
  if (line < header) return 'titles';
  const row = line - header;
  return row < rowsIn(frame) ? (drawn.get(frame.table)?.top ?? 0) + row : undefined;
}

/** The columns with their first cells. */
export function columnStarts(frame: Frame): { column: TableColumn<unknown>; start: number }[] {
  let start = prefixWidth;
  return columnsOf(frame).map(({ column, width }) => {
    const placed = { column, start };
    start += width + gap;
    return placed;
  });
}

/** The titles of the columns that fit. */
export const titlesOf = (frame: Frame): string[] => columnsOf(frame).map(({ column }) => column.title);

/** A list as lines. `isLate`: it has been loading long enough to show a placeholder. */
export function drawTable(frame: Frame, isLate: boolean): readonly Line[] {
  const { ui, table, columns, rows } = frame;
  const { value, freshness } = table.source.get();
  if (value !== undefined) return linesOf(frame, isStale(ui, freshness));
  const { ellipsis } = ui.theme.signs;
  if (freshness.kind === 'failed')
    return failureLines(freshness.failure)
      .slice(0, rows)
      .map((line) => cutLine(line, columns, ellipsis));
  return isLate ? skeleton(frame) : [];
}

function linesOf(frame: Frame, isDim: boolean): Line[] {
  const { ui, view, table, rows, hasKeys = true } = frame;
  const model = tableModel(ui, view, table);
  const columns = columnsOf(frame);
  const shown = rowsIn(frame);
  const top = topOf(table, view, model, shown);
  const lines = model.items.slice(top, top + shown).map((item, index) => ({
    ...rowLine(
      { ui, table, columns, item },
      hasKeys && top + index === model.cursor,
      view.list.marks.has(model.ids[top + index] ?? ''),
    ),
    isDim,
  }));
  const filled = lines.length === 0 ? nothing(frame, model).slice(0, shown) : lines;
  return [
    ...(hasHeader(rows) ? [headerOf(frame, columns)] : []),
    ...filled,
    ...(hasFooter(frame) ? [...blankLines(shown - filled.length), footerOf(frame, model)] : []),
  ];
}

/** The first row on the screen; it stays the same while the cursor allows. */
function topOf(table: AnyTable, view: View, { ids, cursor }: TableModel, shown: number): number {
  const before = drawn.get(table);
  const top = windowTop(ids.length, cursor, shown, before?.viewKey === view.key ? before.top : 0);
  drawn.set(table, { viewKey: view.key, top, shown });
  return top;
}

function headerOf({ ui, view, columns: width }: Frame, columns: readonly Placed<TableColumn<unknown>>[]): Line {
  const { sort } = view.list;
  const titles = columns.map(({ column, width: cells }) => {
    const sign = sort && isTitled(column, sort.title) ? sortSign(ui, sort.isReverse) : '';
    const title = cutTo(column.title.toUpperCase(), cells - sign.length, '') + sign;
    return column.align === 'right' ? title.padStart(cells) : title.padEnd(cells);
  });
  return lineOf(cutTo(' '.repeat(prefixWidth) + titles.join(' '.repeat(gap)), width, ''), 'quiet');
}

/** Shown in place of rows. */
function nothing({ ui, view, table, columns }: Frame, { total }: TableModel): Line[] {
  const fault = filterFault(view.list.filter, filterFields(table), table.values);
  if (fault !== undefined)
    return [
      ...paragraph(fault, columns - prefixWidth, 'warn').map(({ segments }) => ({
        segments: [{ text: ' '.repeat(prefixWidth) }, ...segments],
      })),
      lineOf('   esc clears the filter. Quotes search the text itself, as in "a:b".', 'quiet'),
    ];
  const lines =
    total > 0
      ? [lineOf(`   0 of ${total.toLocaleString('en-US')} match. esc clears.`)]
      : [lineOf(`   ${table.empty.text}`), lineOf(`   ${table.empty.next}`, 'quiet')];
  return lines.map((line) => cutLine(line, columns, ui.theme.signs.ellipsis));
}

/** Placeholder for rows. */
function skeleton(frame: Frame): Line[] {
  const { ui, rows } = frame;
  const [dash] = ui.theme.signs.lines;
  const row = columnsOf(frame)
    .map(({ width: cells }) => fitTo(dash.repeat(Math.ceil(cells / 2)), cells, ''))
    .join(' '.repeat(gap));
  const line = lineOf(' '.repeat(prefixWidth) + row, 'quiet');
  return Array.from({ length: Math.max(1, Math.min(rows - 1, 8)) }, () => line);
}
