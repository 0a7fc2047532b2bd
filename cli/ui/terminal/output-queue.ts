import { closeSync, constants, openSync, writeSync } from 'node:fs';

/**
 * Retry interval while the terminal takes no data, in ms: doubled from the first to the longest while nothing is taken.
 */
const [firstRestMs, longestRestMs] = [2, 50];
const pause = new Int32Array(new SharedArrayBuffer(4));
const nothing = Buffer.alloc(0);

/**
 * Writes to the terminal without waiting in a system call. If the terminal takes no data, since its window hangs or its
 * connection is cut, that call would block, and with it the exit of this process.
 */
export function openOutputQueue(onFailed: () => void) {
  const file = openFile();
  let rest: Buffer = nothing;
  let restMs = firstRestMs;
  let timer: NodeJS.Timeout | undefined;
  let drained: (() => void)[] = [];

  function push(): void {
    clearTimeout(timer);
    timer = undefined;
    const before = rest.length;
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        rest = nothing;
        onFailed();
      }
    }
    restMs = rest.length < before ? firstRestMs : Math.min(restMs * 2, longestRestMs);
    if (rest.length === 0) tell();
    else timer = setTimeout(push, restMs);
  }

  function tell(): void {
    const callbacks = drained;
    drained = [];
    for (const each of callbacks) each();
  }

  const whenDrained = () =>
    rest.length === 0 ? Promise.resolve() : new Promise<void>((resolve) => drained.push(resolve));

  return {
    /** Resolves when the text is written or discarded. */
    write(text: string): Promise<void> {
      rest = rest.length === 0 ? Buffer.from(text) : Buffer.concat([rest, Buffer.from(text)]);
      if (timer === undefined) push();
      return whenDrained();
    },
    /** Resolves when the queue is empty. */
    drained: whenDrained,
    /** Discards the queue, and writes this. Blocks until it is written, but at most `withinMs`. */
    writeNow(text: string, withinMs: number): void {
      rest = Buffer.from(text);
      const endMs = performance.now() + withinMs;
      for (push(); rest.length > 0 && performance.now() < endMs; push()) Atomics.wait(pause, 0, 0, firstRestMs);
      clearTimeout(timer);
      timer = undefined;
      rest = nothing;
      tell();
    },
    close(): void {
      clearTimeout(timer);
      if (file !== 1) closeSync(file);
    },
  };
}

/**
 * Opens the terminal of stdout as a separate file: non-blocking mode applies to all who share a file, and the shell
 * shares stdout. The second path is for a terminal of another user, as after `su`; if neither opens, stdout itself is
 * used.
 */
function openFile(): number {
  for (const path of ['/proc/self/fd/1', '/dev/tty']) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // Tries the next path.
    }
  }
  return 1;
}
