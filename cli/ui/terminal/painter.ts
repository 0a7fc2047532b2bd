import { EventEmitter } from 'node:events';
import type { Size } from '../ui.ts';
import { drawnRow } from './row.ts';

interface PainterOptions {
  /**
   * Resolves when the terminal has taken it. Until then no other frame is written; of those that arrive, only the last
   * is kept.
   */
  write(text: string): Promise<void>;
  size(): Size;
  /** The terminal has ASCII characters only. */
  isAscii: boolean;
}

/** Terminals that know these show everything between them at once; others ignore them. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
const clear = '\u001b[2J';

/**
 * The output of Ink. Ink 6 clears the screen and the scroll-back with each frame as high as the terminal, and its
 * incremental mode loses a line. In debug mode it writes whole frames, and this class writes only the lines that
 * changed. Remove when Ink can do so on the oldest supported Node.
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

  /** A whole frame from Ink; Ink writes an empty one instead of clearing what it never drew. */
  write(frame: string): boolean {
    if (frame === '' || this.#state === 'over') return true;
    this.#frame = frame;
    this.#schedule();
    return true;
  }

  /** Draws everything again: the screen's content is unknown, or its size changed. */
  anew(): void {
    this.#isAnew = true;
    this.#schedule();
  }

  /** Another program has the screen. */
  hold(): void {
    if (this.#state === 'drawing') this.#state = 'held';
  }

  /** The screen is ours, whatever its content. */
  begin(): void {
    if (this.#state === 'held') this.#state = 'drawing';
    this.anew();
  }

  /** Ends all drawing. */
  end(): void {
    this.#state = 'over';
  }

  /** Deferred: all changes of one turn make one frame. */
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
