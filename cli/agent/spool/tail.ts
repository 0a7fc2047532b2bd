import { open, stat, type FileHandle } from 'node:fs/promises';
import { isMissing, segmentPath, type FoundSpool } from './segments.ts';

/** The last segment of a spool, which receives the writes. All calls reject on a disk error. */
export function spoolTail() {
  let handle: FileHandle | undefined;

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }

  return {
    close,

    /** Creates a new last segment. The previous one survives a power cut then. */
    async begin({ directory, segments }: FoundSpool, first: number): Promise<void> {
      await handle?.datasync();
      await close();
      const segment = { path: segmentPath(directory, first), first, bytes: 0 };
      handle = await open(segment.path, 'w', 0o600);
      segments.push(segment);
    },

    /** Returns the size of the complete lines written: not all of them on a full disk. A segment must exist. */
    async write({ segments }: FoundSpool, data: Buffer): Promise<number> {
      const segment = segments.at(-1);
      if (!segment) return 0;
      handle ??= await open(segment.path, 'r+');
      const { bytesWritten } = await handle.write(data, 0, data.length, segment.bytes);
      const written = data.subarray(0, bytesWritten).lastIndexOf(0x0a) + 1;
      segment.bytes += written;
      // An incomplete line at the end would do no harm, but takes space.
      if (written < bytesWritten) await handle.truncate(segment.bytes).catch(() => undefined);
      return written;
    },

    async sync(): Promise<void> {
      await handle?.datasync();
    },

    /** Whether the folder was deleted: writes to an open file of it would be lost. */
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
