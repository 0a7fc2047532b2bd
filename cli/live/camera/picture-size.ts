interface Size {
  width: number;
  height: number;
}

/** What is larger is not even begun with: it would take the memory of this machine. */
const maxSide = 4_096;
const maxPictureBytes = 4 * 1024 * 1024;

/** Of a JPEG, from its head alone; undefined where it does not say. */
export function sizeOfPicture(jpeg: Uint8Array): Size | undefined {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const code = bytes[at + 1] ?? 0;
    // A frame of any kind (SOF), and none of the three segments that are numbered among them.
    if (code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += code === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Why it is not decoded; undefined if it may be. A robot sends what it likes. */
export function refusalOf(jpeg: Uint8Array): string | undefined {
  if (jpeg.length > maxPictureBytes) return `it has ${jpeg.length} bytes`;
  const size = sizeOfPicture(jpeg);
  if (!size || size.width === 0 || size.height === 0) return 'it is no JPEG';
  if (size.width > maxSide || size.height > maxSide) return `it is too large, ${size.width} × ${size.height}`;
  return undefined;
}
