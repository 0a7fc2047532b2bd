/** A line of text that a source wrote. */
export interface Line {
  text: string;
  /** Its size, including the newline. */
  bytes: number;
  /** It was longer than the maximum, and was cut. */
  isCut: boolean;
}

/** Splits bytes into lines; a line longer than `maxBytes` is cut. */
interface LineSplitter {
  push(chunk: Buffer): Line[];
  /** The remaining text without a newline; undefined if there is none. */
  rest(): Line | undefined;
}

export function lineSplitter(maxBytes: number): LineSplitter {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;

  function keep(part: Buffer): void {
    bytes += part.length;
    const room = maxBytes - keptBytes;
    if (room <= 0) return;
    // A copy: a slice would keep all of a large chunk in memory.
    kept.push(Buffer.from(part.subarray(0, room)));
    keptBytes += Math.min(room, part.length);
  }

  function take(): Line {
    const text = Buffer.concat(kept).toString('utf8').replace(/\r$/, '');
    const line = { text, bytes, isCut: bytes > maxBytes + 1 };
    kept = [];
    keptBytes = 0;
    bytes = 0;
    return line;
  }

  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        keep(chunk.subarray(start, end));
        bytes += 1;
        lines.push(take());
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      return lines;
    },
    rest: () => (bytes === 0 ? undefined : take()),
  };
}
