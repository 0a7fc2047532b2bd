import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of at most 256 colours from RGBA pixels: for a terminal that is enough, and a third of the size. */
export function indexedPng(pixels: Buffer, width: number, height: number): Buffer {
  for (let step = 4; ; step *= 2) {
    const palette = new Map<number, number>();
    const level = (at: number) => Math.min(255, Math.round((pixels[at] ?? 0) / step) * step);
    // A row begins with its filter: none.
    const data = Buffer.alloc((width + 1) * height);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const colour = (level(pixel * 4) << 16) | (level(pixel * 4 + 1) << 8) | level(pixel * 4 + 2);
      const index = palette.get(colour) ?? palette.size;
      palette.set(colour, index);
      data[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index;
    }
    if (palette.size > 256) continue;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    // 8 bits of a palette.
    header.set([8, 3], 8);
    const colours = Buffer.from(
      [...palette.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]),
    );
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('PLTE', colours),
      chunk('IDAT', deflateSync(data, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}
