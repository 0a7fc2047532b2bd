import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { runsOf, type Run } from './cells.ts';

/** What a terminal shows at a moment. */
export type Screen = readonly (readonly Run[])[];

export interface Terminal extends AsyncDisposable {
  columns: number;
  screen(): Screen;
  /** The lines of the screen as text. */
  text(): string;
  /** Types a text as a person does, a few keys at a time; `\r` is Enter. */
  type(keys: string): Promise<void>;
  /** Sends keys at once. */
  press(keys: string): void;
  /** Resolves when it is on the screen. @throws with the screen, if it is not there within 60 s */
  sees(part: string | RegExp): Promise<void>;
}

interface TerminalSettings {
  columns: number;
  rows: number;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Called after each change of the screen. */
  onChange?: (terminal: Terminal) => void;
}

/** Between the keys of a person who types fast; two keys are sent together, which keeps a recording small. */
const betweenKeysMs = 110;
const patienceMs = 60_000;

/** Bash on a real terminal, whose output is drawn by xterm. */
export async function openTerminal({ columns, rows, cwd, env, onChange }: TerminalSettings): Promise<Terminal> {
  const emulator = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const pty = spawn('/bin/bash', ['--noprofile', '--norc'], {
    cols: columns,
    rows,
    cwd,
    env: { ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8', HISTFILE: '/dev/null' },
  });
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  const lines = () => Array.from({ length: rows }, (_, row) => emulator.buffer.active.getLine(row));
  let isCursorVisible = true;
  for (const [final, isVisible] of [
    ['h', true],
    ['l', false],
  ] as const)
    emulator.parser.registerCsiHandler({ prefix: '?', final }, (parameters) => {
      if (parameters.includes(25)) isCursorVisible = isVisible;
      return false;
    });
  emulator.onData((reply) => pty.write(reply));

  const terminal: Terminal = {
    columns,
    screen() {
      const { cursorX, cursorY } = emulator.buffer.active;
      return lines().map((line, row) =>
        line ? runsOf(line, columns, isCursorVisible && row === cursorY ? cursorX : undefined) : [],
      );
    },
    text: () =>
      lines()
        .map((line) => line?.translateToString(true) ?? '')
        .join('\n'),
    async type(keys) {
      for (const part of keys.match(/[^\r]{1,2}|\r/gu) ?? []) {
        pty.write(part);
        await sleep(betweenKeysMs);
      }
    },
    press: (keys) => pty.write(keys),
    async sees(part) {
      const untilMs = performance.now() + patienceMs;
      const isSeen = (text: string) => (typeof part === 'string' ? text.includes(part) : part.test(text));
      while (!isSeen(terminal.text())) {
        if (performance.now() > untilMs) throw new Error(`${String(part)} is not seen, but\n${terminal.text()}`);
        await sleep(20);
      }
    },
    async [Symbol.asyncDispose]() {
      pty.kill('SIGHUP');
      const killer = setTimeout(() => pty.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(killer);
    },
  };
  pty.onData((data) => emulator.write(data, () => onChange?.(terminal)));
  await terminal.sees('$');
  return terminal;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
