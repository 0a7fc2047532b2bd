import { open, stat, type FileHandle } from 'node:fs/promises';
import { isMissing, segmentPath, type FoundSpool } from './segments.ts';

/** The last segment of a spool, the one that is written. Everything here rejects where the disk does. */
export function spoolTail() {
  let handle: FileHandle | undefined;

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }

  return {
    close,

    /** Makes a new last segment; what is in the one before is safe from a power cut then. */
    async begin({ directory, segments }: FoundSpool, first: number): Promise<void> {
      await handle?.datasync();
      await close();
      const segment = { path: segmentPath(directory, first), first, bytes: 0 };
      handle = await open(segment.path, 'w', 0o600);
      segments.push(segment);
    },

    /** Gives the bytes of the lines that were written: not all of them where the disk is full. There is a segment. */
    async write({ segments }: FoundSpool, data: Buffer): Promise<number> {
      const segment = segments.at(-1);
      if (!segment) return 0;
      handle ??= await open(segment.path, 'r+');
      const { bytesWritten } = await handle.write(data, 0, data.length, segment.bytes);
      const written = data.subarray(0, bytesWritten).lastIndexOf(0x0a) + 1;
      segment.bytes += written;
      // A part of a line at the end would do no harm, but takes room.
      if (written < bytesWritten) await handle.truncate(segment.bytes).catch(() => undefined);
      return written;
    },

    async sync(): Promise<void> {
      await handle?.datasync();
    },

    /** Somebody deleted the folder: what is written to an open file of it then reaches nobody. */
    async isGone({ directory, segments }: FoundSpool): Promise<boolean> {
      try {
        const { ino } = await stat(segments.at(-1)?.path ?? directory);
        return handle !== undefined && ino !== (await handle.stat()).ino;
      } catch (error) {
        if (isMissing(error)) return true;
        throw error;
      }
    },
  };
}
