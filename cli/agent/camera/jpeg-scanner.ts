const marker = {
  stuffed: 0x00,
  temporary: 0x01,
  firstRestart: 0xd0,
  lastRestart: 0xd7,
  start: 0xd8,
  end: 0xd9,
  scan: 0xda,
};

const isRestart = (code: number) => code >= marker.firstRestart && code <= marker.lastRestart;

/**
 * Finds the end of the JPEG that begins at offset 0, while its bytes arrive. It walks from segment to segment, and
 * looks for markers only in the data after a scan: a thumbnail in a segment has its own end marker.
 */
export function jpegScanner() {
  let at = 2;
  let isScan = false;

  /**
   * The offset after the picture; `more` if that has not arrived yet; `broken` if the bytes are no JPEG. `bytes`: all
   * bytes so far.
   */
  return function walk(bytes: Buffer): number | 'more' | 'broken' {
    for (;;) {
      if (isScan) {
        const found = bytes.indexOf(0xff, at);
        at = found === -1 ? bytes.length : found;
      }
      const code = bytes[at + 1];
      if (code === undefined) return 'more';
      if (bytes[at] !== 0xff) return 'broken';
      if (code === 0xff)
        at += 1; // fill bytes may precede any marker
      else if (isScan && (code === marker.stuffed || isRestart(code))) at += 2;
      else if (code === marker.end) return at + 2;
      else if (code === marker.start || code === marker.stuffed) return 'broken';
      else if (code === marker.temporary || isRestart(code)) at += 2;
      else {
        if (at + 4 > bytes.length) return 'more';
        const length = bytes.readUInt16BE(at + 2);
        if (length < 2) return 'broken';
        isScan = code === marker.scan;
        at += 2 + length;
        if (at > bytes.length) return 'more';
      }
    }
  };
}

/** The JPEG at the start of the bytes, without what follows it; undefined if it is incomplete or there is none. */
export function wholeJpeg(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== marker.start) return undefined;
  const end = jpegScanner()(bytes);
  return typeof end === 'number' ? bytes.subarray(0, end) : undefined;
}
