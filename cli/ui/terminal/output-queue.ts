import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** A terminal that takes no more is asked again so soon, and seldom when it stands still. */
const [firstRestMs, longestRestMs] = [2, 50];
const pause = new Int32Array(new SharedArrayBuffer(4));
const nothing = Buffer.alloc(0);

/**
 * Writes to the terminal, and waits for it in no system call: a terminal that takes nothing, as its window hangs or its line is cut, would keep that
 * call, and with it the end of this process, until somebody reads it again.
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
    /** Resolves when the terminal took it, or it is dropped. */
    write(text: string): Promise<void> {
      rest = rest.length === 0 ? Buffer.from(text) : Buffer.concat([rest, Buffer.from(text)]);
      if (timer === undefined) push();
      return whenDrained();
    },
    /** Resolves when nothing waits any more. */
    drained: whenDrained,
    /** Drops what waits, and writes this. It holds up all else until it is out, but no longer than that. */
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
 * The terminal of stdout as a file of our own: whether a file waits is told to all who share it, and stdout is shared with the shell. The second is
 * for a terminal that belongs to somebody else, as after `su`; where there is neither, stdout itself has to do.
 */
function openFile(): number {
  for (const path of ['/proc/self/fd/1', '/dev/tty']) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // The next.
    }
  }
  return 1;
}
