import { spawnSync } from 'node:child_process';
import { isatty, ReadStream } from 'node:tty';
import type { Io } from '../../command-line/io.ts';
import { screenModes } from './screen-modes.ts';
import type { Size } from '../../transport/shell/resumable-session.ts';

/** The local terminal, whose keys go to the robot as they are pressed. */
export type Terminal = ReturnType<typeof terminalOf>;

/** The protocol's limit. */
const maxSize = 1000;

/** Whether stdin is a terminal. */
export const typesOnTerminal = (): boolean => isatty(0);

/**
 * `isRaw`: keys go to the robot as they are pressed, Ctrl-C too. From then on the terminal is restored however the
 * process ends, except by SIGKILL.
 */
export function terminalOf(io: Io) {
  const modes = screenModes();
  const screen = io.out.tty ? io.out : io.err.tty ? io.err : undefined;
  let isRaw = false;

  function setRaw(raw: boolean): void {
    try {
      if (io.input instanceof ReadStream) io.input.setRawMode(raw);
    } catch {
      // The window is closed: nothing is left to restore.
    }
    // Node leaves newline translation to the terminal, which is wrong on a screen that a robot draws. The change is
    // undone with the rest.
    if (raw) spawnSync('stty', ['raw'], { stdio: ['inherit', 'ignore', 'ignore'] });
  }

  function leave(): void {
    if (!isRaw) return;
    isRaw = false;
    try {
      screen?.write(modes.undo());
    } catch {
      // As above.
    }
    setRaw(false);
  }

  /** After the local shell had the terminal, which may have changed its mode. */
  function regain(): void {
    setRaw(false);
    setRaw(true);
  }

  return {
    /** Tracks the screen's output. */
    modes,
    get isRaw() {
      return isRaw;
    },
    size: (): Size => ({ cols: within(screen?.columns, 80), rows: within(screen?.rows, 24) }),
    onResize: (listener: () => void) => screen?.onResize(listener),
    enter(): void {
      isRaw = true;
      process.on('exit', leave);
      setRaw(true);
      process.on('SIGCONT', () => {
        if (isRaw) regain();
      });
    },
    leave,
    /** Suspends this process and its job as Ctrl-Z does; returns when they continue. */
    suspend(): void {
      screen?.write(modes.undo());
      setRaw(false);
      process.kill(0, 'SIGTSTP');
      setRaw(true);
      screen?.write(modes.redo());
    },
  };
}

/** Terminals without a known size report 0. */
const within = (size: number | undefined, usual: number) => (size ? Math.min(size, maxSize) : usual);
