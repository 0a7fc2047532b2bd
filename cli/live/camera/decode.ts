import { decode } from 'jpeg-js';
import { refusalOf } from './picture-size.ts';

/** A picture as dots: three bytes each, red, green and blue, row by row. */
export interface RgbImage {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Enough for the largest accepted picture. */
const decoder = { useTArray: true, formatAsRGBA: false, maxResolutionInMP: 17, maxMemoryUsageInMB: 384 } as const;

/** The picture, scaled to fit into so many dots with its aspect ratio. @throws Error if it cannot be shown */
export function dotsOf(jpeg: Uint8Array, columns: number, rows: number): RgbImage {
  const why = refusalOf(jpeg);
  if (why !== undefined) throw new Error(why);
  const picture = decode(jpeg, decoder);
  const scale = Math.min(columns / picture.width, rows / picture.height);
  const width = Math.max(1, Math.min(columns, Math.round(picture.width * scale)));
  const height = Math.max(1, Math.min(rows, Math.round(picture.height * scale)));
  return { width, height, rgb: averaged(picture, width, height) };
}

/** Each dot is the mean of the pixels it covers. */
function averaged(
  from: { width: number; height: number; data: Uint8Array },
  width: number,
  height: number,
): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const edges = (count: number, of: number) =>
    Array.from({ length: count + 1 }, (_, at) => Math.floor((at * of) / count));
  const [lefts, tops] = [edges(width, from.width), edges(height, from.height)];
  for (let row = 0, at = 0; row < height; row += 1) {
    const top = tops[row] ?? 0;
    const bottom = Math.max(top + 1, tops[row + 1] ?? 0);
    for (let column = 0; column < width; column += 1, at += 3) {
      const left = lefts[column] ?? 0;
      const right = Math.max(left + 1, lefts[column + 1] ?? 0);
      let [red, green, blue] = [0, 0, 0];
      for (let y = top; y < bottom; y += 1)
        for (let offset = (y * from.width + left) * 3; offset < (y * from.width + right) * 3; offset += 3) {
          red += from.data[offset] ?? 0;
          green += from.data[offset + 1] ?? 0;
          blue += from.data[offset + 2] ?? 0;
        }
      const count = (bottom - top) * (right - left);
      rgb[at] = red / count;
      rgb[at + 1] = green / count;
      rgb[at + 2] = blue / count;
    }
  }
  return rgb;
}
