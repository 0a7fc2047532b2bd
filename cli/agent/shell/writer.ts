import { writeSync } from 'node:fs';

/** What goes into a terminal that may not take it at once. */
interface TerminalWriter {
  /** False when it has enough for now; `drained` is called then. */
  write(bytes: Buffer): boolean;
  /** What waits is forgotten. */
  close(): void;
}

const enoughBytes = 64 * 1024;
const againMs = { first: 2, most: 50 };

/**
 * Writes to the master of a terminal, which does not block. Not by a stream: Node's would try again and again, with nothing else getting its turn,
 * while the program does not read what was typed.
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

  /** Nothing of it where the terminal is full. Where it is gone, what is typed is gone too. */
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
