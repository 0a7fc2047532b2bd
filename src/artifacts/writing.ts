import type { FileHandle } from 'node:fs/promises';

/** Bytes that may be queued for the disk. With more, the caller waits. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Writes in the background, so the caller can hash meanwhile. Chunks that arrive during a write go out with the next
 * one: many small chunks become few writes. Both methods throw the error of the disk. `end` resolves when all is
 * written.
 */
export function writingTo(file: FileHandle, from: number) {
  let at = from;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let under: Promise<void> | undefined;
  let failure: { error: unknown } | undefined;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      [waiting, waitingBytes] = [[], 0];
      await writeAll(batch);
    }
    under = undefined;
  }

  async function writeAll(batch: Uint8Array[]): Promise<void> {
    let { bytesWritten } = await file.writev(batch, at);
    at += bytesWritten;
    // A nearly full disk may write only a part.
    for (const chunk of batch) {
      const done = Math.min(bytesWritten, chunk.length);
      bytesWritten -= done;
      for (let next = done; next < chunk.length;) {
        const more = await file.write(chunk, next, chunk.length - next, at);
        next += more.bytesWritten;
        at += more.bytesWritten;
      }
    }
  }

  const settled = async () => {
    await under;
    if (failure) throw failure.error;
  };

  return {
    async write(chunk: Uint8Array): Promise<void> {
      if (failure) throw failure.error;
      waiting.push(chunk);
      waitingBytes += chunk.length;
      // Nothing awaits this promise: the error is kept, and the next call throws it.
      under ??= drain().catch((error: unknown) => void (failure = { error }));
      if (waitingBytes >= maxWaitingBytes) await settled();
    },
    end: settled,
  };
}
