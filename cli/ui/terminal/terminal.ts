import { endOnInterrupt } from '../../command-line/interrupt.ts';
import { createStore } from '../data/store.ts';
import type { UiTerminal } from '../ui.ts';
import { anyKey, Keyboard } from './keyboard.ts';
import { startCommand, withFlags } from './child-command.ts';
import { createFrameRate, type FrameRate } from './frame-rate.ts';
import { Painter } from './painter.ts';
import { openOutputQueue } from './output-queue.ts';

export interface TerminalSettings {
  /** It has no signs but those of ASCII. */
  isAscii: boolean;
  /** Flags of this line that lines which get the terminal are to have, too: whose service, whose token. */
  passedOn: readonly string[];
  /** What they have around them. Default: what this process has. */
  environment?: () => NodeJS.ProcessEnv;
}

/** The terminal of this process, which it has for itself from `enter` to `leave`. */
interface OwnTerminal {
  ui: UiTerminal;
  /** What Ink draws on and reads from. */
  painter: Painter;
  keyboard: Keyboard;
  pace: FrameRate;
  enter(): void;
  /** Ends all, as this error does; it is told when the screen is as it was. */
  fail(error: unknown): void;
  /** Resolves with the exit code when it is to be left; rejects with the error that ended it. */
  ended: Promise<number>;
  /** Gives it back as it was. */
  leave(): Promise<void>;
}

/**
 * The other screen, without a cursor and without wrapping; what is pasted comes in brackets. The program before may have left the modes of
 * arrow keys and mouse changed.
 */
const enterScreen =
  '\u001b[?1049h\u001b[?1l\u001b>\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?25l\u001b[?7l\u001b[?2004h';
/** Ends what was cut off in its middle, too. */
const leaveScreen = '\u001b\\\u001b[?2026l\u001b[0m\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[?1049l';
/** At the end a terminal that takes nothing is waited for no longer, for what was written before and then for the last. */
const drainWithinMs = 300;
/** Nor is another line that was told to end. */
const lineEndsWithinMs = 2_000;
/** Terminals take no longer text into their clipboard. */
const maxCopyBytes = 64 * 1024;
const suspendKey = '\u001a';
/** A signal that ends this process, and the exit code that shells know it by. */
const endings = { SIGINT: 130, SIGHUP: 129, SIGQUIT: 131, SIGTERM: 143 } as const;

/**
 * aside → ours → parting → aside, or over from any. Aside it is before the beginning, while this process is stopped, and while another line has the
 * terminal; parting it is while the last that was written goes out.
 */
export function openTerminal({ isAscii, passedOn, environment }: TerminalSettings): OwnTerminal {
  const { stdout } = process;
  let state: 'aside' | 'ours' | 'parting' | 'over' = 'aside';
  let line: ReturnType<typeof startCommand> | undefined;
  let isStopping = false;
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  let settle: { resolve: (code: number) => void; reject: (error: Error) => void } | undefined;
  const ended = new Promise<number>((resolve, reject) => (settle = { resolve, reject }));
  const sink = openOutputQueue(() => end(endings.SIGHUP));
  const size = createStore(sizeNow());
  const pace = createFrameRate();
  const keyboard = new Keyboard(pace.atKey);
  const painter = new Painter({ write: sink.write, size: size.get, isAscii });

  /** Some terminals say 0. */
  function sizeNow() {
    const [columns, rows] = stdout.getWindowSize();
    return { columns: columns || 80, rows: rows || 24 };
  }

  function enter(): void {
    if (state !== 'aside' || isOver()) return;
    state = 'ours';
    keyboard.open(() => end(endings.SIGHUP));
    void sink.write(enterScreen);
    const { columns, rows } = sizeNow();
    if (columns !== size.get().columns || rows !== size.get().rows) size.set({ columns, rows });
    painter.begin();
    pace.goOn();
  }

  /** What was being written is over by then, or the terminal takes nothing. Keys that come meanwhile are for who has it next. */
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

  /** Stops those of its job, too; returns when they go on. */
  function stopJob(): void {
    process.off('SIGTSTP', onStop);
    process.kill(0, 'SIGTSTP');
    process.on('SIGTSTP', onStop);
  }

  /** Another line that has the terminal stops itself: the shell waits for all of the job. */
  function onStop(): void {
    if (state === 'ours') void suspend();
    else if (state === 'aside') process.kill(process.pid, 'SIGSTOP');
  }

  /** Stopped by what cannot be heard; the shell had the terminal meanwhile. */
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
    // A key that came together with the one before: it is given away already.
    if (state !== 'ours') return 0;
    await putAside();
    if (isOver()) return 0;
    line = startCommand(withFlags(words, passedOn), environment?.());
    const code = await line.code.finally(() => (line = undefined));
    // What it said would be gone with the other screen.
    if (code !== 0 && !isOver()) {
      const ask = () => sink.write(`\r\nIt ended with exit code ${code}. Press any key to go back.\r\n`);
      void ask();
      while ((await anyKey(over.signal)).includes(suspendKey) && !isOver()) {
        stopJob();
        void ask();
      }
    }
    enter();
    return code;
  }

  // Ctrl-C is a key here; typed to another line it is meant for that one.
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
      // It gives back itself what it changed of the terminal.
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
