const firstBytes = 64 * 1024;

/**
 * A buffer for bytes whose remainder has not arrived. It doubles its size, so that many small chunks are not copied for
 * each one.
 */
export function byteStore() {
  let space = Buffer.allocUnsafe(firstBytes);
  let [start, end] = [0, 0];
  return {
    append(chunk: Buffer): void {
      if (end + chunk.length > space.length) {
        const needed = end - start + chunk.length;
        const from = space;
        // At its present size, the bytes would be moved to the front repeatedly.
        if (needed * 2 > space.length) space = Buffer.allocUnsafe(2 ** Math.ceil(Math.log2(needed * 2)));
        from.copy(space, 0, start, end);
        [start, end] = [0, end - start];
      }
      chunk.copy(space, end);
      end += chunk.length;
    },
    /** The buffered bytes; valid until the next `append`. */
    get bytes(): Buffer {
      return space.subarray(start, end);
    },
    /** Discards the first `count` bytes. */
    drop(count: number): void {
      start = Math.min(end, start + count);
      if (start === end) [start, end] = [0, 0];
    },
  };
}
