/** Waits, after a program has ended, until all of its output has arrived. */
interface Drain {
  /** The program ended. */
  begin(): void;
  /** This much output arrived. */
  came(bytes: number): void;
  pause(): void;
  resume(): void;
}

/**
 * Other programs, such as background jobs, may still write. More than a terminal or a pipe holds is not from the ended
 * program.
 */
const mostBytes = 256 * 1024;

/** Calls `done` when no output has arrived for `quietMs`. Time while reading is paused does not count. */
export function outputDrain(quietMs: number, done: () => void): Drain {
  let isBegun = false;
  let isPaused = false;
  let isDone = false;
  let bytesAfter = 0;
  let timer: NodeJS.Timeout | undefined;

  const finish = () => {
    clearTimeout(timer);
    if (isDone) return;
    isDone = true;
    done();
  };
  const wait = () => {
    clearTimeout(timer);
    if (isBegun && !isPaused && !isDone) timer = setTimeout(finish, quietMs);
  };
  return {
    begin() {
      isBegun = true;
      wait();
    },
    came(bytes) {
      if (!isBegun) return;
      bytesAfter += bytes;
      if (bytesAfter > mostBytes) finish();
      else wait();
    },
    pause() {
      isPaused = true;
      clearTimeout(timer);
    },
    resume() {
      isPaused = false;
      wait();
    },
  };
}
