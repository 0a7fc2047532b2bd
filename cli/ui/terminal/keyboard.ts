import { once, EventEmitter } from 'node:events';
import { ReadStream } from 'node:tty';
import { keySplitter } from './key-splitter.ts';

const escape = '\u001b';

/**
 * The input of Ink. The terminal is read only from `open` to `close`: input typed while another program has the
 * terminal belongs to that program, and a paused stream may already have taken some. Ink's own changes of raw mode have
 * no effect.
 */
export class Keyboard extends EventEmitter {
  readonly isTTY = true;
  #waiting: string[] = [];
  #given = 0;
  #isGiving = false;
  #stream: ReadStream | undefined;
  readonly #splitter = keySplitter((keys) => this.#take(keys));
  readonly #onKey: (work: () => void) => void;

  /** `onKey` is called with a function that announces a key, and calls that function. */
  constructor(onKey: (work: () => void) => void) {
    super();
    this.#onKey = onKey;
  }

  open(onEnd: () => void): void {
    this.#stream = rawInput();
    this.#stream.setEncoding('utf8').on('data', this.feed);
    this.#stream.on('end', onEnd).on('error', onEnd);
  }

  close(): void {
    this.#splitter.reset();
    this.#waiting = [];
    if (this.#stream) giveBack(this.#stream);
    this.#stream = undefined;
  }

  /** Takes input from the terminal. */
  feed = (text: string): void => this.#splitter.feed(text);

  /** One key, for Ink. */
  read(): string | null {
    if (this.#given === 0) return null;
    this.#given -= 1;
    return this.#waiting.shift() ?? null;
  }

  setRawMode = (): this => this;
  setEncoding = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  #take(keys: readonly string[]): void {
    this.#waiting.push(...keys);
    if (!this.#isGiving) this.#giveNext();
  }

  /**
   * Passes keys on one by one, each after the one before is drawn. An Escape needs the end of the turn: together with
   * the next key it would be another key.
   */
  #giveNext(): void {
    const [key] = this.#waiting;
    this.#isGiving = key !== undefined;
    if (key === undefined) return;
    this.#given = 1;
    this.#onKey(() => this.emit('readable'));
    // No listener took the key: it is discarded.
    if (this.#given > 0) this.read();
    const next = () => this.#giveNext();
    if (key === escape) setImmediate(next);
    else queueMicrotask(next);
  }
}

/** Resolves with the input when a key is pressed; with an empty text when the input ends or the signal aborts. */
export async function anyKey(signal: AbortSignal): Promise<string> {
  const stream = rawInput();
  const come = (name: string) => once(stream, name, { signal });
  const [typed] = (await Promise.race([come('data'), come('end')]).catch(() => [])) as unknown[];
  giveBack(stream);
  return typed instanceof Buffer ? typed.toString('latin1') : '';
}

function rawInput(): ReadStream {
  const stream = new ReadStream(0);
  stream.setRawMode(true);
  return stream;
}

function giveBack(stream: ReadStream): void {
  stream.on('error', () => undefined); // the window was closed: there is nothing to restore
  stream.setRawMode(false);
  stream.destroy();
}
