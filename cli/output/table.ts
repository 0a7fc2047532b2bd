import stringWidth from 'string-width';
import type { Tone } from './colour.ts';

export interface Cell {
  /** Sanitised already. */
  text: string;
  tone?: Tone | undefined;
}

const gap = '  ';
/** A column is not cut below this while another one is wider. */
const leastWidth = 8;

/** Rows in columns that fit into `width`; the widest columns are cut first, and a cut cell ends in `…`. */
export function layOut(
  rows: readonly (readonly Cell[])[],
  width: number,
  paint: (text: string, tone: Tone) => string,
): string {
  const widths = fit(naturalWidths(rows), width);
  return rows.map((row) => `${line(row, widths, paint)}\n`).join('');
}

function naturalWidths(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, stringWidth(cell.text));
  }
  return widths;
}

function fit(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  const available = width - gap.length * (widths.length - 1);
  for (let excess = sum(widths) - available; excess > 0;) {
    const widest = Math.max(...widths);
    if (widest <= leastWidth) break;
    const index = widths.lastIndexOf(widest);
    const next = Math.max(leastWidth, ...widths.filter((other) => other < widest));
    const cut = Math.min(excess, Math.max(1, widest - next));
    widths[index] = widest - cut;
    excess -= cut;
  }
  return widths;
}

function line(row: readonly Cell[], widths: readonly number[], paint: (text: string, tone: Tone) => string): string {
  const cells = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const text = truncate(cell.text, width);
    // Nothing follows the last cell: padding it would only wrap narrow terminals.
    const padding = index === row.length - 1 ? '' : ' '.repeat(Math.max(0, width - stringWidth(text)));
    return `${cell.tone ? paint(text, cell.tone) : text}${padding}`;
  });
  return cells.join(gap).trimEnd();
}

const graphemes = new Intl.Segmenter();

function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const next = used + stringWidth(segment);
    if (next > width - 1) break;
    [kept, used] = [kept + segment, next];
  }
  return `${kept}…`;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
