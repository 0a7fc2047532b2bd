import { spawnSync } from 'node:child_process';
import { isatty, ReadStream } from 'node:tty';
import type { Io } from '../../command-line/io.ts';
import { screenModes } from './screen-modes.ts';
import type { Size } from '../../transport/shell/resumable-session.ts';

/** The terminal on this side, in which what is typed goes to the robot key by key. */
export type Terminal = ReturnType<typeof terminalOf>;

/** What the protocol takes. */
const maxSize = 1000;

/** Whether what is typed comes from a terminal. */
export const typesOnTerminal = (): boolean => isatty(0);

/**
 * `isRaw`: the keys go to the robot as they are pressed, Ctrl-C too. However the process ends from then on, but by SIGKILL, the terminal is made as it was
 * before.
 */
export function terminalOf(io: Io) {
  const modes = screenModes();
  const screen = io.out.tty ? io.out : io.err.tty ? io.err : undefined;
  let isRaw = false;

  function setRaw(raw: boolean): void {
    try {
      if (io.input instanceof ReadStream) io.input.setRawMode(raw);
    } catch {
      // The window was closed: there is nothing to restore any more.
    }
    // Node leaves it to the terminal to begin a line at a line feed; on a screen that a robot draws that is wrong. What this changes is undone with the rest.
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

  /** After the shell of this side had the terminal: it left it as it likes it. */
  function regain(): void {
    setRaw(false);
    setRaw(true);
  }

  return {
    /** Reads along what the screen is told. */
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
    /** Stops this process and those of its job as Ctrl-Z does; returns when they go on. */
    suspend(): void {
      screen?.write(modes.undo());
      setRaw(false);
      process.kill(0, 'SIGTSTP');
      setRaw(true);
      screen?.write(modes.redo());
    },
  };
}

/** Terminals that were never told their size say 0. */
const within = (size: number | undefined, usual: number) => (size ? Math.min(size, maxSize) : usual);
