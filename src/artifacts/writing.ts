import type { FileHandle } from 'node:fs/promises';

/** What may wait for the disk; a caller with more waits too. */
const maxWaitingBytes = 1024 * 1024;

/**
 * Writes behind its caller, who can hash meanwhile: what comes while a write is under way goes out with the next one, so that many small chunks are
 * few writes. Both methods throw what the disk threw; `end` resolves when all is written.
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
    // A disk that is nearly full takes a part.
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
      // Kept and thrown to the next who asks: nobody waits for this one.
      under ??= drain().catch((error: unknown) => void (failure = { error }));
      if (waitingBytes >= maxWaitingBytes) await settled();
    },
    end: settled,
  };
}
