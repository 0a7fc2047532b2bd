import { limits } from '../../../generated/protocol.js';
import { byteStore } from './byte-store.ts';
import type { SourceListener } from './source.ts';
import { tooLarge } from './split.ts';
import { jpegScanner, wholeJpeg } from './jpeg-scanner.ts';

/** The headers of a part are usually a few dozen bytes. */
const maxHeaderBytes = 8 * 1024;
/** With more than this between two parts, the stream is not multipart. */
const maxJunkBytes = 1024 * 1024;

type Part = { kind: 'between'; junkBytes: number } | { kind: 'headers' } | { kind: 'sized'; bytes: number } | Unsized;
interface Unsized {
  kind: 'unsized';
  walk: ReturnType<typeof jpegScanner>;
}

/**
 * Reads the pictures from multipart/x-mixed-replace, the stream of most network cameras. States: between parts →
 * headers of a part → its picture, by its Content-Length if there is one → between parts. A wrong length costs the
 * pictures around it.
 */
export function multipartPictures(boundary: string, on: Pick<SourceListener, 'picture' | 'broken' | 'failed'>) {
  // Some cameras declare the boundary with its two leading dashes, and some of those send it with four.
  const delimiter = Buffer.from(`--${boundary.replace(/^--/, '')}`, 'latin1');
  const store = byteStore();
  const between = (): Part => ({ kind: 'between', junkBytes: 0 });
  let part = between();
  let isOver = false;

  function fail(reason: string): false {
    isOver = true;
    on.failed(reason);
    return false;
  }

  function take(bytes: Buffer, count: number): true {
    const picture = wholeJpeg(bytes.subarray(0, count));
    if (picture) on.picture(Buffer.from(picture));
    else on.broken();
    store.drop(count);
    part = between();
    return true;
  }

  /** Returns whether it made progress. */
  function step(): boolean {
    const { bytes } = store;
    if (part.kind === 'between') {
      const at = bytes.indexOf(delimiter);
      const dropped = at === -1 ? Math.max(0, bytes.length - delimiter.length + 1) : at + delimiter.length;
      store.drop(dropped);
      if (at !== -1) part = { kind: 'headers' };
      else if ((part.junkBytes += dropped) > maxJunkBytes) return fail('it sends no pictures');
      return at !== -1;
    }
    if (part.kind === 'headers') {
      const head = bytes.toString('latin1', 0, maxHeaderBytes);
      if (head.startsWith('--')) return fail('it ended the stream');
      const blank = /\r?\n\r?\n/.exec(head);
      if (!blank) return bytes.length > maxHeaderBytes ? fail('the headers of its pictures do not end') : false;
      const length = /^content-length:\s*(\d+)\s*$/im.exec(head.slice(0, blank.index));
      store.drop(blank.index + blank[0].length);
      part = length ? { kind: 'sized', bytes: Number(length[1]) } : { kind: 'unsized', walk: jpegScanner() };
      if (part.kind === 'sized' && part.bytes > limits.maxCameraFrameBytes) return fail(tooLarge(part.bytes));
      return true;
    }
    if (part.kind === 'sized') return bytes.length < part.bytes ? false : take(bytes, part.bytes);
    if (bytes.length < 2) return false;
    const end = bytes[0] === 0xff && bytes[1] === 0xd8 ? part.walk(bytes) : 'broken';
    if (end === 'more') return bytes.length > limits.maxCameraFrameBytes ? fail(tooLarge(bytes.length)) : false;
    if (end !== 'broken') return take(bytes, end);
    on.broken();
    part = between();
    return true;
  }

  return (chunk: Buffer): void => {
    if (isOver) return;
    store.append(chunk);
    while (step());
  };
}
