import type { Tone } from '../command-line/colour.ts';
import { isId as isWholeId, shortId } from '../command-line/id.ts';
import { safeCell } from './safe.ts';
import { cutTo, widthOf } from './text-width.ts';
import { relativeTime } from './time.ts';
import { plain, valueOf, type Column } from './view.ts';

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

/** The columns of a table in which some item has a value. */
export const usedColumns = <T extends object>(columns: readonly Column<T>[], items: readonly T[]): Column<T>[] =>
  columns.filter(({ field, shown }) => shown === 'table' && items.some((item) => item[field as keyof T] !== undefined));

/** Lines of a list whose items arrive in batches; the header precedes the first batch. */
interface ListTable<T> {
  lines(items: readonly T[]): string[];
}

/**
 * Columns that fit into `width`: some columns are omitted, then the widest are cut, and a cut cell ends in `…`. Ids are
 * short in a limited width; commands accept them so. They and messages of logs are never cut; messages wrap. The first
 * other column is the name of the item, and is cut last. A later batch never makes a column narrower, so that batches
 * stay aligned.
 */
export function listTable<T>(all: readonly Column<T>[], width: number, paint: Paint): ListTable<T> {
  let columns = all;
  let widths: number[] = [];
  const shortened = (cell: Cell): Cell =>
    Number.isFinite(width) && isWholeId(cell.text) ? { ...cell, text: shortId(cell.text) } : cell;
  return {
    lines(items) {
      if (items.length === 0) return [];
      let rows = items.map((item) => columns.map((column) => shortened(cellOf(item, column))));
      if (widths.length === 0) {
        rows.unshift(all.map((column): Cell => ({ text: headerOf(column), tone: 'quiet' })));
        widths = naturalWidths(rows, []);
        const kept = fitting(all, widths, width);
        const ofKept = <V>(values: readonly V[]) => values.filter((_, index) => kept.has(index));
        [columns, widths, rows] = [ofKept(all), ofKept(widths), rows.map(ofKept)];
      }
      widths = fit(naturalWidths(rows, widths), columns.map(isWhole), width);
      return rows.map((row) => line(row, widths, paint));
    },
  };
}

/**
 * Indexes of the columns that stay. Some are omitted, lowest number first, while others have no readable width. If the
 * rest would be too wide even when it is cut, columns that may be cut are omitted from the right, apart from the name.
 */
function fitting<T>(all: readonly Column<T>[], natural: readonly number[], width: number): ReadonlySet<number> {
  const name = all.findIndex((column) => !isWhole(column));
  const kept = new Set(all.keys());
  const isWiderWith = (most: (column: Column<T>, index: number) => number) => {
    const widths = [...all.entries()].map(([index, column]) => Math.min(natural[index] ?? 0, most(column, index)));
    return () => sum([...kept].map((index) => (widths[index] ?? 0) + gap.length)) - gap.length > width;
  };
  const isUnreadable = isWiderWith((column, index) => (index === name || isWhole(column) ? Infinity : readableWidth));
  const byRank = [...all.entries()]
    .flatMap(([index, { dropped }]) => (dropped === undefined ? [] : [{ index, dropped }]))
    .sort((one, other) => one.dropped - other.dropped);
  for (const { index } of byRank) if (isUnreadable()) kept.delete(index);
  // A long name is cut, and a long message wraps.
  const isTooWide = isWiderWith((column, index) =>
    isId(column) ? Infinity : index === name || isWhole(column) ? Math.max(leastWidth, width / 2) : leastWidth,
  );
  for (const [index, column] of [...all.entries()].toReversed())
    if (isTooWide() && index !== name && !isWhole(column)) kept.delete(index);
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
  const value = plain(valueOf(item, column));
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
