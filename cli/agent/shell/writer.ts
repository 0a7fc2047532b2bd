import { writeSync } from 'node:fs';

/** Queues input for a terminal that may not take it at once. */
interface TerminalWriter {
  /** Returns false when enough is queued; `drained` is then called when there is room. */
  write(bytes: Buffer): boolean;
  /** Discards what is queued. */
  close(): void;
}

const enoughBytes = 64 * 1024;
const againMs = { first: 2, most: 50 };

/**
 * Writes to the master of a terminal, which does not block. A stream of Node would retry in a loop and starve
 * everything else while the program does not read its input.
 */
export function terminalWriter(descriptor: number, drained: () => void): TerminalWriter {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let isClosed = false;
  let againAfterMs = againMs.first;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    timer = undefined;
    const wasEnough = waitingBytes > enoughBytes;
    for (let [bytes] = waiting; bytes; [bytes] = waiting) {
      const taken = tryWrite(bytes);
      waitingBytes -= taken;
      if (taken > 0) againAfterMs = againMs.first;
      if (taken < bytes.length) {
        waiting[0] = bytes.subarray(taken);
        timer = setTimeout(flush, againAfterMs);
        againAfterMs = Math.min(againAfterMs * 2, againMs.most);
        break;
      }
      waiting.shift();
    }
    if (wasEnough && waitingBytes <= enoughBytes) drained();
  }

  /** Writes nothing when the terminal is full. When the terminal is gone, the input is lost. */
  function tryWrite(bytes: Buffer): number {
    try {
      return writeSync(descriptor, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length;
    }
  }

  return {
    write(bytes) {
      if (isClosed || bytes.length === 0) return true;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!timer) flush();
      return waitingBytes <= enoughBytes;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      waiting = [];
      waitingBytes = 0;
    },
  };
}
