/** Waits, once a program has ended, until all that it wrote has come. */
interface Drain {
  /** The program ended. */
  begin(): void;
  /** So much came. */
  came(bytes: number): void;
  pause(): void;
  resume(): void;
}

/** Others may go on writing, as jobs in the background: more than a terminal or a pipe holds was not written by who ended. */
const mostBytes = 256 * 1024;

/** `done` is called when nothing has come for `quietMs`, time in which nothing was read not counted. */
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
