interface Size {
  width: number;
  height: number;
}

/** Larger pictures are not decoded: they would exhaust this machine's memory. */
const maxSide = 4_096;
const maxPictureBytes = 4 * 1024 * 1024;

/** The size of a JPEG, from its header alone; undefined if it is missing there. */
export function sizeOfPicture(jpeg: Uint8Array): Size | undefined {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const code = bytes[at + 1] ?? 0;
    // A frame of any kind (SOF), without the other three segments in that range.
    if (code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc)
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += code === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Why the picture is not decoded; undefined if it may be. Data from a robot is untrusted. */
export function refusalOf(jpeg: Uint8Array): string | undefined {
  if (jpeg.length > maxPictureBytes) return `it has ${jpeg.length} bytes`;
  const size = sizeOfPicture(jpeg);
  if (!size || size.width === 0 || size.height === 0) return 'it is not a JPEG';
  if (size.width > maxSide || size.height > maxSide) return `it is too large, ${size.width} × ${size.height}`;
  return undefined;
}
