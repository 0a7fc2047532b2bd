const firstBytes = 64 * 1024;

/** Bytes that wait for the rest of what they belong to. It grows in doubles, so that what comes in many small pieces is not copied for each. */
export function byteStore() {
  let space = Buffer.allocUnsafe(firstBytes);
  let [start, end] = [0, 0];
  return {
    append(chunk: Buffer): void {
      if (end + chunk.length > space.length) {
        const needed = end - start + chunk.length;
        const from = space;
        // As large as it was, it would be moved to the front again and again.
        if (needed * 2 > space.length) space = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(needed * 2)));
        from.copy(space, 0, start, end);
        [start, end] = [0, end - start];
      }
      chunk.copy(space, end);
      end += chunk.length;
    },
    /** What waits; good until the next `append`. */
    get bytes(): Buffer {
      return space.subarray(start, end);
    },
    /** The first of them are not wanted any more. */
    drop(count: number): void {
      start = Math.min(end, start + count);
      if (start === end) [start, end] = [0, 0];
    },
  };
}
