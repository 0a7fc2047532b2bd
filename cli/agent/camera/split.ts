import { limits } from '../../../generated/protocol.js';
import { byteStore } from './byte-store.ts';
import type { SourceListener } from './source.ts';
import { jpegScanner } from './jpeg-scanner.ts';

const beginning = Buffer.from([0xff, 0xd8, 0xff]);

/** The message for a picture that is too large for a viewer. `bytes`: its size at least. */
export const tooLarge = (bytes: number) =>
  `its pictures are too large: ${Math.ceil(bytes / 1024)} KiB or more, at most 896 KiB; lower their size or quality`;

/** Splits a stream of adjacent JPEGs, as ffmpeg writes it, into pictures. Holds no more than the largest picture. */
export function pictureSplitter(on: Pick<SourceListener, 'picture' | 'broken' | 'failed'>): (chunk: Buffer) => void {
  const store = byteStore();
  let walk: ReturnType<typeof jpegScanner> | undefined;
  return (chunk) => {
    store.append(chunk);
    for (;;) {
      if (!walk) {
        const at = store.bytes.indexOf(beginning);
        if (at === -1) return store.drop(Math.max(0, store.bytes.length - beginning.length + 1));
        store.drop(at);
        walk = jpegScanner();
      }
      const { bytes } = store;
      const end = walk(bytes);
      if ((end === 'more' ? bytes.length : Number(end)) > limits.maxCameraFrameBytes)
        return on.failed(tooLarge(bytes.length));
      if (end === 'more') return;
      walk = undefined;
      if (end === 'broken') on.broken();
      else on.picture(Buffer.from(bytes.subarray(0, end)));
      store.drop(end === 'broken' ? 2 : end);
    }
  };
}
