import { EventEmitter } from 'node:events';
import type { Size } from '../ui.ts';
import { drawnRow } from './row.ts';

interface PainterOptions {
  /** Resolves when the terminal took it. Until then no other frame is written: those that come meanwhile are left out but the last. */
  write(text: string): Promise<void>;
  size(): Size;
  /** The terminal has no other signs. */
  isAscii: boolean;
}

/** A terminal that knows these shows what is between them in one go; others ignore them. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
const clear = '\u001b[2J';

/**
 * What Ink takes for its terminal. Ink 6 wipes the whole screen and the scroll-back with each frame that is as high as the terminal, and its
 * incremental mode loses a line; in debug mode it gives each frame whole, and this writes the lines that are not as they were. May go when Ink can
 * do it on the oldest Node that we run on.
 *
 * held (at the start) ⇄ drawing → over
 */
export class Painter extends EventEmitter {
  readonly isTTY = true;
  #frame = '';
  #shown: readonly string[] = [];
  #state: 'held' | 'drawing' | 'over' = 'held';
  #isScheduled = false;
  #isWriting = false;
  #isAnew = true;
  readonly #options: PainterOptions;

  constructor(options: PainterOptions) {
    super();
    this.#options = options;
  }

  get columns(): number {
    return this.#options.size().columns;
  }

  get rows(): number {
    return this.#options.size().rows;
  }

  /** A whole frame, from Ink; an empty one is what Ink writes in place of clearing what it never drew. */
  write(frame: string): boolean {
    if (frame === '' || this.#state === 'over') return true;
    this.#frame = frame;
    this.#schedule();
    return true;
  }

  /** Everything is drawn again: what is on the screen is not known, or of another size. */
  anew(): void {
    this.#isAnew = true;
    this.#schedule();
  }

  /** Somebody else has the screen. */
  hold(): void {
    if (this.#state === 'drawing') this.#state = 'held';
  }

  /** The screen is ours, whatever is on it. */
  begin(): void {
    if (this.#state === 'held') this.#state = 'drawing';
    this.anew();
  }

  /** Nothing is drawn any more. */
  end(): void {
    this.#state = 'over';
  }

  /** Not at once: what changes in one turn is one frame. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#isWriting || this.#state !== 'drawing' || this.#frame === '') return;
    const { size, isAscii, write } = this.#options;
    const { columns, rows } = size();
    const lines = this.#frame.split('\n').slice(0, rows);
    const shown = this.#isAnew ? [] : this.#shown;
    let changes = this.#isAnew ? clear : '';
    for (let row = 0; row < Math.max(lines.length, shown.length); row += 1) {
      const line = lines[row] ?? '';
      if (line !== (shown[row] ?? '')) changes += drawnRow(line, row + 1, columns, isAscii);
    }
    this.#shown = lines;
    this.#isAnew = false;
    if (changes === '') return;
    this.#isWriting = true;
    void write(`${beginFrame}${changes}${endFrame}`).then(() => {
      this.#isWriting = false;
      this.#draw();
    });
  }
}
