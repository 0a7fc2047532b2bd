import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { screenOf, type Screen } from './screen.ts';
import type { Frame } from './svg.ts';

/** A screen counts once nothing was written to it for this time, milliseconds. */
const settledMs = 35;
/** A program that writes all the time is sampled this often, milliseconds. */
const busyMs = 300;
/** A pause without changes is cut to this, milliseconds. */
const idleMs = 1_200;
const patienceMs = 30_000;

export interface TerminalSettings {
  columns: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A real bash on a real terminal, and what a person saw there. */
export class RecordedTerminal implements AsyncDisposable {
  readonly frames: Frame[] = [];
  readonly #terminal;
  readonly #pty;
  readonly #ended: Promise<void>;
  readonly #settings: TerminalSettings;
  #isCursorVisible = true;
  #shownAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #waitsSince: number | undefined;

  constructor(settings: TerminalSettings) {
    const { columns, rows, cwd, env } = settings;
    this.#settings = settings;
    this.#terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    const cursor = (final: string, isVisible: boolean) =>
      this.#terminal.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
        if (parameters.includes(25)) this.#isCursorVisible = isVisible;
        return false;
      });
    cursor('h', true);
    cursor('l', false);
    this.#pty = spawn('/bin/bash', ['--noprofile', '--norc'], {
      cols: columns,
      rows,
      cwd,
      env: { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8', TZ: 'UTC', PS1: '$ ', ...env },
    });
    this.#pty.onData((text) => this.#terminal.write(text, () => this.#changed()));
    this.#ended = new Promise((resolve) => this.#pty.onExit(() => resolve()));
  }

  screen(): Screen {
    const { columns, rows } = this.#settings;
    return screenOf(this.#terminal.buffer.active, columns, rows, this.#isCursorVisible);
  }

  text(): string {
    const { active } = this.#terminal.buffer;
    const line = (row: number) => active.getLine(active.baseY + row)?.translateToString(true) ?? '';
    return Array.from({ length: this.#settings.rows }, (_, row) => line(row)).join('\n');
  }

  #changed(): void {
    const now = performance.now();
    this.#waitsSince ??= now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#sample(), Math.max(0, Math.min(settledMs, this.#waitsSince + busyMs - now)));
  }

  #sample(): void {
    clearTimeout(this.#timer);
    this.#waitsSince = undefined;
    const screen = this.screen();
    const last = this.frames.at(-1);
    if (last && JSON.stringify(last.screen) === JSON.stringify(screen)) return;
    const now = performance.now();
    // A frame that was held has its time already.
    if (last && last.ms === 0) last.ms = Math.min(now - this.#shownAt, idleMs);
    this.#shownAt = now;
    this.frames.push({ screen, ms: 0 });
  }

  /** Types like a person. */
  async type(text: string): Promise<void> {
    for (const [index, key] of Array.from(text).entries()) {
      this.#pty.write(key);
      await wait(key === ' ' ? 90 : 45 + ((index * 7) % 5) * 9);
    }
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Moves the cursor of a list down to the line. */
  async moveTo(pattern: RegExp): Promise<void> {
    for (
      let presses = 0;
      !this.text()
        .split('\n')
        .some((line) => line.startsWith('▸') && pattern.test(line));
      presses += 1
    ) {
      if (presses === this.#settings.rows) throw new Error(`${String(pattern)} is not in the list:\n${this.text()}`);
      this.press('j');
      await wait(200);
    }
  }

  /** @throws with the screen if the text does not appear */
  async sees(pattern: RegExp): Promise<void> {
    const untilMs = performance.now() + patienceMs;
    while (!pattern.test(this.text())) {
      if (performance.now() > untilMs) throw new Error(`${String(pattern)} does not appear, but:\n${this.text()}`);
      await wait(25);
    }
    await wait(2 * settledMs);
  }

  /** Shows what is there for this time, whatever time the recording takes. Returns its index. */
  hold(ms: number): number {
    this.#sample();
    const last = this.frames.at(-1);
    if (last) last.ms = ms;
    return this.frames.length - 1;
  }

  /** Forgets what was recorded. */
  restart(): void {
    this.frames.length = 0;
    this.#sample();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#pty.kill('SIGHUP');
    await this.#ended;
    this.#terminal.dispose();
  }
}
