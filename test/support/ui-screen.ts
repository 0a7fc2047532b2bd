import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { patienceMs, until, within } from './until.ts';

/** A program on a real terminal, and its visible screen: all output goes through a terminal's own parser. */
export interface UiScreen extends Disposable {
  pid: number;
  /** All output so far, as text. */
  written(): string;
  /** The lines of the screen, without trailing blanks. */
  lines(): string[];
  /** The column, from 0, at which the text begins in each line that contains it. */
  columnsOf(text: string | RegExp): number[];
  isAlternate(): boolean;
  /** Whether no cell of that line has a colour. */
  isPlain(row: number): boolean;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Stops reading until `readOn`, like a stalled terminal. */
  stopReading(): void;
  readOn(): void;
  /** Closes the window. */
  hangUp(): void;
  /** Resolves when a piece of its output contains that. */
  writes(part: string): Promise<void>;
  /** Resolves when it appears on the screen. @throws with the screen, if it does not within 20 s */
  sees(part: string | RegExp): Promise<void>;
  /** The exit code. */
  ended: Promise<number>;
}

interface UiScreenSettings {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

export function startUiScreen(
  [file = '', ...args]: readonly string[],
  { env = {}, columns = 80, rows = 24 }: UiScreenSettings = {},
): UiScreen {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = spawn(file, args, {
    cols: columns,
    rows,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  });
  let written = '';
  pty.onData((text) => {
    written += text;
    terminal.write(text);
  });
  let isOver = false;
  const ended = new Promise<number>((resolve) =>
    pty.onExit(({ exitCode, signal }) => {
      isOver = true;
      resolve(signal ? 128 + signal : exitCode);
    }),
  );
  const { buffer } = terminal;
  const lineAt = (row: number) => buffer.active.getLine(buffer.active.baseY + row);
  const lines = () =>
    Array.from({ length: terminal.rows }, (_, row) => lineAt(row)?.translateToString().trimEnd() ?? '');
  return {
    pid: pty.pid,
    written: () => written,
    lines,
    columnsOf(text) {
      return lines().flatMap((line, row) => {
        const at = typeof text === 'string' ? line.indexOf(text) : line.search(text);
        if (at === -1) return [];
        // Cells before it: a wide character takes two, and is one or more code units.
        let [cell, characters] = [0, 0];
        for (; characters < at; cell += 1)
          characters +=
            lineAt(row)?.getCell(cell)?.getChars().length || (lineAt(row)?.getCell(cell)?.getWidth() === 0 ? 0 : 1);
        return [cell];
      });
    },
    isAlternate: () => buffer.active.type === 'alternate',
    isPlain: (row) =>
      Array.from({ length: terminal.cols }, (_, column) => lineAt(row)?.getCell(column)).every(
        (cell) => cell?.isFgDefault() === true && cell.isBgDefault() && cell.isBold() === 0,
      ),
    type: (keys) => pty.write(keys),
    resize(width, height) {
      terminal.resize(width, height);
      pty.resize(width, height);
    },
    stopReading: () => pty.pause(),
    readOn: () => pty.resume(),
    // Missing in its types.
    hangUp: () => (pty as unknown as { destroy(): void }).destroy(),
    writes: (part) =>
      new Promise((resolve) => {
        const listener = pty.onData((text) => {
          if (!text.includes(part)) return;
          listener.dispose();
          resolve();
        });
      }),
    sees: (part) =>
      within(
        until(() => {
          const text = lines().join('\n');
          return typeof part === 'string' ? text.includes(part) : part.test(text);
        }),
        patienceMs,
        () => `${String(part)} is not seen, but\n${lines().join('\n')}`,
      ),
    ended,
    [Symbol.dispose]() {
      if (!isOver) pty.kill('SIGKILL');
      terminal.dispose();
    },
  };
}
