import { randomInt } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Finds the end of what a program has written to its terminal: a mark of ours, written after it ended, comes after all of it. */
interface EndMark {
  /** The program ended. */
  write(): void;
  /** Output as it comes; gives what of it is the program's, and ends with `found`. */
  take(bytes: Buffer): Buffer;
  close(): void;
}

const againMs = 10;

/** On the slave at `path`; `found` is called once the mark came. Where it cannot be written, as after Ctrl-S, it does not come. */
export function endMark(path: string, found: () => void): EndMark {
  // Digits, as a terminal may change letters.
  const mark = Buffer.from(`\0${Array.from({ length: 20 }, () => randomInt(10)).join('')}\0`);
  let descriptor: number | undefined;
  let written = 0;
  let timer: NodeJS.Timeout | undefined;
  let carried = Buffer.alloc(0);
  let isFound = false;

  function goOn(): void {
    if (descriptor === undefined) return;
    try {
      written += writeSync(descriptor, mark, written);
    } catch {
      // There is no room until more was read.
    }
    if (written < mark.length) timer = setTimeout(goOn, againMs);
  }

  return {
    write() {
      try {
        descriptor = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
      } catch {
        // Too many files are open: there will be no mark.
      }
      goOn();
    },
    take(bytes) {
      if (descriptor === undefined) return bytes;
      if (isFound) return Buffer.alloc(0);
      const all = Buffer.concat([carried, bytes]);
      const at = all.indexOf(mark);
      isFound = at !== -1;
      if (isFound) {
        setImmediate(found);
        return all.subarray(0, at);
      }
      // The mark may come in two parts.
      let kept = Math.min(mark.length - 1, all.length);
      while (kept > 0 && !mark.subarray(0, kept).equals(all.subarray(all.length - kept))) kept -= 1;
      carried = all.subarray(all.length - kept);
      return all.subarray(0, all.length - kept);
    },
    close() {
      clearTimeout(timer);
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
