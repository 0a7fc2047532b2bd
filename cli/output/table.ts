import type { Tone } from '../command-line/colour.ts';
import { safeCell } from './safe.ts';
import { cutTo, widthOf } from './text-width.ts';
import { relativeTime } from './time.ts';
import { plain, type Column } from './view.ts';

interface Cell {
  /** Already sanitised. */
  text: string;
  tone?: Tone | undefined;
}

type Paint = (text: string, tone: Tone) => string;

const gap = '  ';
/** A column is not cut below this while another is wider. */
const leastWidth = 8;
/** A column is dropped before others are cut below this. */
const readableWidth = 16;

/** Lines of a list whose items arrive in batches; the header precedes the first batch. */
interface ListTable<T> {
  lines(items: readonly T[]): string[];
}

/**
 * Columns that fit into `width`: some columns are omitted, then the widest are cut, and a cut cell ends in `…`. Ids
 * are never cut, because people copy them; they may wrap. The first other column is the name of the item, and is cut
 * last. A later batch never makes a column narrower, so that batches stay aligned.
 */
export function listTable<T>(all: readonly Column<T>[], width: number, paint: Paint): ListTable<T> {
  let columns = all;
  let widths: number[] = [];
  return {
    lines(items) {
      if (items.length === 0) return [];
      if (widths.length === 0) columns = fitting(all, items, width);
      const whole = columns.map(isWhole);
      const header = columns.map((column): Cell => ({ text: headerOf(column), tone: 'quiet' }));
      const rows = items.map((item) => columns.map((column) => cellOf(item, column)));
      const lot = widths.length === 0 ? [header, ...rows] : rows;
      widths = fit(naturalWidths(lot, widths), whole, width);
      return lot.map((row) => line(row, widths, paint));
    },
  };
}

/** Without the columns that leave others less than a readable width, the first to be dropped first. */
function fitting<T>(all: readonly Column<T>[], items: readonly T[], width: number): readonly Column<T>[] {
  const rows = items.map((item) => all.map((column) => cellOf(item, column)));
  const header = all.map((column): Cell => ({ text: headerOf(column) }));
  const natural = new Map(naturalWidths([header, ...rows], []).map((each, index) => [all[index], each]));
  const name = all.find((column) => !isWhole(column));
  const widthIn = (columns: readonly Column<T>[]) =>
    sum(
      columns.map((column) =>
        Math.min(natural.get(column) ?? 0, column === name || isWhole(column) ? Infinity : readableWidth),
      ),
    ) +
    gap.length * (columns.length - 1);
  let kept = all;
  const byRank = all.filter(({ dropped }) => dropped !== undefined).sort((a, b) => (a.dropped ?? 0) - (b.dropped ?? 0));
  for (const column of byRank) {
    if (widthIn(kept) <= width) break;
    kept = kept.filter((each) => each !== column);
  }
  return kept;
}

/** One line per field; absent fields are omitted. Values are never cut: one may be a token that is shown only once. */
export function objectTable<T>(item: T, columns: readonly Column<T>[], paint: Paint): string {
  const rows = columns
    .map((column): [Cell, Cell] => [{ text: headerOf(column), tone: 'quiet' }, cellOf(item, column)])
    .filter(([, value]) => value.text !== '');
  const widths = naturalWidths(rows, []);
  return rows.map((row) => `${line(row, widths, paint)}\n`).join('');
}

const isWhole = <T>(column: Column<T>) => column.whole === true || isId(column);

/** A column with the id itself, not a name for it. */
const isId = <T>({ field, text }: Column<T>) => field === 'id' || (field.endsWith('_id') && text === undefined);

const headerOf = <T>({ header, field }: Column<T>) => header ?? field.replaceAll('_', ' ').toUpperCase();

function cellOf<T>(item: T, column: Column<T>): Cell {
  const value = plain(item[column.field]);
  const text = column.text?.(item) ?? (column.time && value !== '' ? relativeTime(value) : value);
  return { text: safeCell(text), tone: column.tone?.(item) };
}

function naturalWidths(rows: readonly (readonly Cell[])[], least: readonly number[]): number[] {
  const widths = [...least];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell.text));
  }
  return widths;
}

function fit(natural: readonly number[], whole: readonly boolean[], width: number): number[] {
  const widths = [...natural];
  const mayCut = widths.map((_, index) => index).filter((index) => whole[index] !== true);
  let cuttable = mayCut.slice(1);
  const widthAt = (index: number) => widths[index] ?? 0;
  for (let excess = sum(widths) + gap.length * (widths.length - 1) - width; excess > 0;) {
    const widest = Math.max(...cuttable.map(widthAt));
    if (widest <= leastWidth) {
      if (cuttable.length === mayCut.length) break;
      cuttable = mayCut;
      continue;
    }
    const index = cuttable.findLast((candidate) => widthAt(candidate) === widest) ?? 0;
    const next = Math.max(leastWidth, ...cuttable.map(widthAt).filter((other) => other < widest));
    const cut = Math.min(excess, Math.max(1, widest - next));
    widths[index] = widest - cut;
    excess -= cut;
  }
  return widths;
}

function line(row: readonly Cell[], widths: readonly number[], paint: Paint): string {
  const cells = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const text = cutTo(cell.text, width, '…');
    // Nothing follows the last cell: padding it would only wrap narrow terminals.
    const padding = index === row.length - 1 ? '' : ' '.repeat(Math.max(0, width - widthOf(text)));
    return `${cell.tone ? paint(text, cell.tone) : text}${padding}`;
  });
  return cells.join(gap).trimEnd();
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
