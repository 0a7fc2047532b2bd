import { graphemesOf, widthOf } from '../../output/text-width.ts';
import { styling, unpainted } from './row.ts';

/** Ink's transformation of a line of text before it is drawn. */
type Transform = (line: string, index: number) => string;

/** Columns and rows that are drawn: from the first up to, but without, the second. */
interface Clip {
  x1: number | undefined;
  x2: number | undefined;
  y1: number | undefined;
  y2: number | undefined;
}

/** A painted text in a row, with its columns. */
interface Piece {
  x: number;
  width: number;
  text: string;
}

/**
 * Replaces Ink's frame composer (build/output.js) when the interface is built. That one makes a styled object of each
 * screen cell, four fifths of the frame time. Here lines stay texts, and one is split only where another covers it.
 * Remove when Ink does so too.
 */
export class Composer {
  /** The pieces of each row, from left to right. */
  readonly #rows: Piece[][];
  readonly #clips: Clip[] = [];

  constructor({ height }: { height: number }) {
    this.#rows = Array.from({ length: height }, () => []);
  }

  write(x: number, y: number, text: string, { transformers }: { transformers: readonly Transform[] }): void {
    const { x1 = 0, x2 = Infinity, y1 = 0, y2 = Infinity } = this.#clips.at(-1) ?? {};
    for (const [index, line] of text.split('\n').entries()) {
      const row = this.#rows[y + index];
      if (!row || y + index < y1 || y + index >= y2) continue;
      const painted = transformers.reduce((whole, transform) => transform(whole, index), line);
      const piece = { x, width: widthOf(unpainted(painted)), text: painted };
      this.#rows[y + index] = between(piece, x1, x2).reduce(over, row);
    }
  }

  clip(clip: Clip): void {
    this.#clips.push(clip);
  }

  unclip(): void {
    this.#clips.pop();
  }

  get(): { output: string; height: number } {
    return { output: this.#rows.map(lineOf).join('\n'), height: this.#rows.length };
  }
}

/** The row with the piece drawn over it. */
function over(row: readonly Piece[], piece: Piece): Piece[] {
  const end = piece.x + piece.width;
  const left = row.flatMap((other) => between(other, 0, piece.x));
  const right = row.flatMap((other) => between(other, end, Infinity));
  return [...left, piece, ...right];
}

/**
 * The part of the piece in these columns. A cut character becomes blank. All styling is kept, so that it ends as it
 * began.
 */
function between(piece: Piece, from: number, to: number): Piece[] {
  const [begin, end] = [Math.max(from, piece.x), Math.min(to, piece.x + piece.width)];
  if (begin >= end) return [];
  if (end - begin === piece.width) return [piece];
  let column = piece.x;
  let text = '';
  for (const part of piece.text.split(styling)) {
    if (part.startsWith('\u001b')) {
      text += part;
      continue;
    }
    for (const sign of graphemesOf(part)) {
      const next = column + widthOf(sign);
      const isIn = column >= begin && next <= end;
      text += isIn ? sign : ' '.repeat(Math.max(0, Math.min(next, end) - Math.max(column, begin)));
      column = next;
    }
  }
  return [{ x: begin, width: end - begin, text }];
}

function lineOf(row: readonly Piece[]): string {
  let column = 0;
  let line = '';
  for (const { x, width, text } of row) {
    line += ' '.repeat(x - column) + text;
    column = x + width;
  }
  return line.trimEnd();
}
