import { once, EventEmitter } from 'node:events';
import { ReadStream } from 'node:tty';
import { keySplitter } from './key-splitter.ts';

const escape = '\u001b';

/**
 * What Ink takes for its input. The terminal is read from `open` to `close` and not a moment longer: what is typed while somebody else has it is
 * theirs, and a stream that is only paused may have taken some of it already. Ink's own changes of raw mode have no effect.
 */
export class Keyboard extends EventEmitter {
  readonly isTTY = true;
  #waiting: string[] = [];
  #given = 0;
  #isGiving = false;
  #stream: ReadStream | undefined;
  readonly #splitter = keySplitter((keys) => this.#take(keys));
  readonly #onKey: (work: () => void) => void;

  /** `onKey` gets what tells of a key, to call it. */
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

  /** What the terminal sends. */
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

  /** One by one, each when the one before has been drawn. An Escape needs the turn to end: together with the next key it would be another one. */
  #giveNext(): void {
    const [key] = this.#waiting;
    this.#isGiving = key !== undefined;
    if (key === undefined) return;
    this.#given = 1;
    this.#onKey(() => this.emit('readable'));
    // Nobody listens any more: it is nobody's.
    if (this.#given > 0) this.read();
    const next = () => this.#giveNext();
    if (key === escape) setImmediate(next);
    else queueMicrotask(next);
  }
}

/** Resolves with what was typed when some key was pressed; with nothing when there is nobody any more to press one. */
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
  stream.on('error', () => undefined); // the window was closed: there is nothing to give back any more
  stream.setRawMode(false);
  stream.destroy();
}
