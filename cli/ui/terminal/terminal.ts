import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { createStore } from '../data/store.ts';
import type { UiTerminal } from '../ui.ts';
import { anyKey, Keyboard } from './keyboard.ts';
import { startCommand, withFlags } from './child-command.ts';
import { createFrameRate, type FrameRate } from './frame-rate.ts';
import { Painter } from './painter.ts';
import { openOutputQueue } from './output-queue.ts';

export interface TerminalSettings {
  /** It has ASCII characters only. */
  isAscii: boolean;
  /** Flags added to the commands that get the terminal: service and colours. */
  passedOn: readonly string[];
  /** Whether clicks and the wheel are for the interface at the start. Default: false. */
  hasMouse?: boolean;
  /** Environment of these commands. Default: that of this process. */
  environment?: () => NodeJS.ProcessEnv;
}

/** The terminal, used by this process alone from `enter` to `leave`. */
interface OwnTerminal {
  ui: UiTerminal;
  /** Output and input of Ink. */
  painter: Painter;
  keyboard: Keyboard;
  pace: FrameRate;
  enter(): void;
  /** Ends the interface with this error, shown once the screen is restored. */
  fail(error: unknown): void;
  /** Resolves with the exit code when the user quits; rejects with the error that ended the interface. */
  ended: Promise<number>;
  /** Restores the terminal. */
  leave(): Promise<void>;
}

/**
 * Alternate screen, without cursor and line wrap, with bracketed paste. The program before may have left the modes of
 * arrow keys and mouse changed.
 */
const enterScreen =
  '\u001b[?1049h\u001b[?1l\u001b>\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?25l\u001b[?7l\u001b[?2004h';
/** Presses and the wheel, with cells beyond 223. */
const mouseOn = '\u001b[?1000h\u001b[?1006h';
const mouseOff = '\u001b[?1000l\u001b[?1006l';
/** Also ends a sequence that was cut. */
const leaveScreen =
  '\u001b\\\u001b[?1000l\u001b[?1006l\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
/** Timeout at the end for a terminal that takes no data: once for pending output, once for the last sequence. */
const drainWithinMs = 300;
/** Timeout for a command that has received SIGTERM. */
const lineEndsWithinMs = 2_000;
/** Terminals take no more into their clipboard. */
const maxCopyBytes = 64 * 1024;
const suspendKey = '\u001a';
/** Signals that end this process, with the exit codes that shells know. */
const endings = { SIGINT: 130, SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const;

/**
 * aside → ours → parting → aside, or over from any. `aside`: before the start, while this process is stopped, and while
 * another command has the terminal. `parting`: while the last output is flushed.
 */
export function openTerminal({ isAscii, passedOn, environment, hasMouse = false }: TerminalSettings): OwnTerminal {
  const { stdout } = process;
  let state: 'aside' | 'ours' | 'parting' | 'over' = 'aside';
  let line: ReturnType<typeof startCommand> | undefined;
  let isStopping = false;
  let isMouseOn = hasMouse;
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  let settle: { resolve: (code: number) => void; reject: (error: Error) => void } | undefined;
  const ended = new Promise<number>((resolve, reject) => (settle = { resolve, reject }));
  const sink = openOutputQueue(() => end(endings.SIGHUP));
  const size = createStore(sizeNow());
  const pace = createFrameRate();
  const keyboard = new Keyboard(pace.atKey);
  const painter = new Painter({ write: sink.write, size: size.get, isAscii });

  /** Some terminals report 0. */
  function sizeNow() {
    const [columns, rows] = stdout.getWindowSize();
    return { columns: columns || 80, rows: rows || 24 };
  }

  function enter(): void {
    if (state !== 'aside' || isOver()) return;
    state = 'ours';
    keyboard.open(() => end(endings.SIGHUP));
    void sink.write(isMouseOn ? enterScreen + mouseOn : enterScreen);
    const { columns, rows } = sizeNow();
    if (columns !== size.get().columns || rows !== size.get().rows) size.set({ columns, rows });
    painter.begin();
    pace.goOn();
  }

  /**
   * Returns when pending output is flushed, or the terminal takes no data. Keys typed meanwhile are for the next owner
   * of the terminal.
   */
  async function putAside(): Promise<void> {
    if (state === 'ours') state = 'parting';
    painter.hold();
    closeKeyboard();
    await Promise.race([sink.drained(), new Promise((resolve) => setTimeout(resolve, drainWithinMs).unref())]);
    putAsideNow();
  }

  function putAsideNow(): void {
    if (state !== 'ours' && state !== 'parting') return;
    state = 'aside';
    painter.hold();
    pace.hold();
    closeKeyboard();
    sink.writeNow(leaveScreen, drainWithinMs);
  }

  function closeKeyboard(): void {
    try {
      keyboard.close();
    } catch {
      // The window was closed.
    }
  }

  function end(code: number): void {
    settle?.resolve(code);
    stop();
  }

  function fail(error: unknown): void {
    settle?.reject(error instanceof Error ? error : new Error(String(error)));
    stop();
  }

  function stop(): void {
    over.abort();
    line?.end('SIGTERM');
  }

  async function suspend(): Promise<void> {
    if (state !== 'ours') return;
    await putAside();
    if (isOver()) return;
    isStopping = true;
    stopJob();
    setImmediate(() => {
      isStopping = false;
      enter();
    });
  }

  /** Stops all processes of the job; returns when they continue. */
  function stopJob(): void {
    process.off('SIGTSTP', onStop);
    process.kill(0, 'SIGTSTP');
    process.on('SIGTSTP', onStop);
  }

  /** While another command has the terminal and stops, this process stops too: the shell waits for the whole job. */
  function onStop(): void {
    if (state === 'ours') void suspend();
    else if (state === 'aside') process.kill(process.pid, 'SIGSTOP');
  }

  /** Stopped by a signal that cannot be caught; the shell had the terminal meanwhile. */
  function onContinue(): void {
    if (isStopping || state !== 'ours') return;
    putAsideNow();
    enter();
  }

  function onResize(): void {
    if (state !== 'ours') return;
    pace.atKey(() => size.set(sizeNow()));
    painter.anew();
  }

  async function handOver(words: readonly string[]): Promise<number> {
    // A key that arrived together with the one before: the terminal is handed over already.
    if (state !== 'ours') return 0;
    await putAside();
    if (isOver()) return 0;
    line = startCommand(withFlags(words, passedOn), environment?.());
    const code = await line.code.finally(() => (line = undefined));
    // The alternate screen would hide the command's messages.
    if (code !== 0 && !isOver()) {
      const ask = () => sink.write(`\r\nEnded with exit code ${code}. Press any key to return.\r\n`);
      void ask();
      while ((await anyKey(over.signal)).includes(suspendKey) && !isOver()) {
        stopJob();
        void ask();
      }
    }
    enter();
    return code;
  }

  // Ctrl-C is a key here; while a command runs, it is for that command.
  const onInterrupt = () => line ?? end(endings.SIGINT);
  const listeners = [
    ['SIGINT', onInterrupt],
    ['SIGTERM', () => end(endings.SIGTERM)],
    ['SIGHUP', () => end(endings.SIGHUP)],
    ['SIGQUIT', () => line ?? end(endings.SIGQUIT)],
    ['SIGTSTP', onStop],
    ['SIGCONT', onContinue],
    ['uncaughtException', fail],
    ['unhandledRejection', fail],
    ['exit', putAsideNow],
  ] as const;
  process.off('SIGINT', endOnInterrupt);
  for (const [name, listener] of listeners) process.on(name, listener);
  stdout.on('resize', onResize);

  return {
    ui: {
      size,
      handOver,
      copy(text) {
        const bytes = Buffer.from(text);
        if (state !== 'ours' || bytes.length > maxCopyBytes) return false;
        void sink.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
        return true;
      },
      listenToMouse(isOn) {
        isMouseOn = isOn;
        if (state === 'ours') void sink.write(isOn ? mouseOn : mouseOff);
      },
      suspend: () => void suspend(),
      redraw: () => painter.anew(),
      quit: (exitCode = 0) => end(exitCode),
    },
    painter,
    keyboard,
    pace,
    enter,
    fail,
    ended,
    async leave() {
      await putAside();
      // The command itself restores what it changed of the terminal.
      await Promise.race([
        line?.code.catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, lineEndsWithinMs).unref()),
      ]);
      line?.end('SIGKILL');
      state = 'over';
      painter.end();
      sink.close();
      stdout.off('resize', onResize);
      for (const [name, listener] of listeners) process.off(name, listener);
      process.once('SIGINT', endOnInterrupt);
    },
  };
}
