import { randomInt } from 'node:crypto';
import { closeSync, constants, openSync, writeSync } from 'node:fs';

/**
 * Finds the end of a program's terminal output: a mark written after the program ended arrives after all of its output.
 */
interface EndMark {
  /** The program ended. */
  write(): void;
  /** Takes output as it arrives and returns the program's part of it. Calls `found` when the mark has arrived. */
  take(bytes: Buffer): Buffer;
  close(): void;
}

const againMs = 10;

/**
 * Marks the slave at `path`; calls `found` once the mark has arrived. It never arrives when it cannot be written, as
 * after Ctrl-S.
 */
export function endMark(path: string, found: () => void): EndMark {
  // Digits, since a terminal may change letters.
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
      // There is no room until more output is read.
    }
    if (written < mark.length) timer = setTimeout(goOn, againMs);
  }

  return {
    write() {
      try {
        descriptor = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
      } catch {
        // Too many files are open: no mark is written.
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
      // The mark may arrive in two parts.
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
