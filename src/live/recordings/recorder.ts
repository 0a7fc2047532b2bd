import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, RecordingLimits } from './model.ts';

interface RecorderSettings {
  limits: RecordingLimits;
  /** Writes one chunk; idempotent. */
  write(seq: number, data: Buffer): Promise<void>;
  /** The source must pause. */
  onFull(): void;
  onRoom(): void;
  /** Nothing more is recorded. */
  onFault(fault: Fault, error?: unknown): void;
}

const retryAfterMs = 250;

/**
 * Writes lines in chunks, one after the other, and retries each until it is stored. Unwritten lines are held, bounded
 * by `onFull`.
 */
export function recorder({ limits, write, onFull, onRoom, onFault }: RecorderSettings) {
  let waiting: string[] = [];
  let waitingBytes = 0;
  let heldBytes = 0; // waiting, and in the chunk that is being written
  let totalBytes = 0;
  let nextSeq = 0;
  let isFull = false;
  let isEnding = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function fault(what: Fault, error?: unknown): void {
    if (isOver) return;
    isOver = true;
    onFault(what, error);
  }

  /** Returns whether the chunk is stored in the end. */
  async function insist(seq: number, data: Buffer): Promise<boolean> {
    let last: unknown;
    const late = setTimeout(() => fault('not_written', last), limits.giveUpAfterMs);
    const giveUpAtMs = performance.now() + limits.giveUpAfterMs;
    try {
      for (;;) {
        try {
          await write(seq, data);
          return true;
        } catch (error) {
          last = error;
          if (performance.now() + retryAfterMs > giveUpAtMs) {
            fault('not_written', last);
            return false;
          }
          await sleep(retryAfterMs);
        }
      }
    } finally {
      clearTimeout(late);
    }
  }

  async function writeWaiting(): Promise<void> {
    do {
      const data = Buffer.from(waiting.join(''));
      waiting = [];
      waitingBytes = 0;
      if (!(await insist(nextSeq, data))) {
        // A recording cannot continue after a gap.
        waiting = [];
        waitingBytes = 0;
        return;
      }
      nextSeq += 1;
      heldBytes -= data.length;
      if (isFull && heldBytes < limits.chunkBytes) {
        isFull = false;
        onRoom();
      }
    } while (waitingBytes >= limits.chunkBytes || (isEnding && waitingBytes > 0));
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeWaiting().finally(() => {
      writing = undefined;
      if (waitingBytes > 0) timer ??= setTimeout(flush, limits.writeEveryMs);
    });
  }

  return {
    add(lines: string): void {
      if (isOver || lines === '') return;
      const bytes = Buffer.byteLength(lines);
      totalBytes += bytes;
      if (totalBytes > limits.maxBytes) return fault('full');
      waiting.push(lines);
      waitingBytes += bytes;
      heldBytes += bytes;
      if (heldBytes >= limits.maxHeldBytes) {
        isFull = true;
        onFull();
      }
      if (waitingBytes >= limits.chunkBytes) flush();
      else if (!writing) timer ??= setTimeout(flush, limits.writeEveryMs);
    },

    /** Resolves when everything is stored, or will not be written. */
    async end(): Promise<void> {
      isEnding = true;
      if (waitingBytes > 0) flush();
      await writing;
      clearTimeout(timer);
    },
  };
}
